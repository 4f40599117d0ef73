// CDSChecker's plain accesses by size. The runtime defines them.
#ifndef PORF_LIBRACE_H
#define PORF_LIBRACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint8_t load_8(const void* p);
uint16_t load_16(const void* p);
uint32_t load_32(const void* p);
uint64_t load_64(const void* p);
void store_8(void* p, uint8_t value);
void store_16(void* p, uint16_t value);
void store_32(void* p, uint32_t value);
void store_64(void* p, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
