// CDSChecker's annotations, which mean nothing here.
#ifndef PORF_CDSANNOTATE_H
#define PORF_CDSANNOTATE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C"
#endif
    void cdsannotate(uint64_t kind, void* what);

#endif
