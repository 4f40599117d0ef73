// CDSChecker's assertion.
#ifndef PORF_MODEL_ASSERT_H
#define PORF_MODEL_ASSERT_H

#include <assert.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C"
#endif
    void model_assert(bool holds, const char* file, int line);

#define MODEL_ASSERT(condition) \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

#endif
