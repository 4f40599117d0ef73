// Annotations for other checkers, for programs that declare them themselves (genmc.h has macros instead).
// Hints for their explorations mean nothing here.
#include "porf.h"

void __VERIFIER_loop_begin(void) {}

void __VERIFIER_spin_start(void) {}

void __VERIFIER_spin_end(int ends) { __porf_spin_end(ends); }

int __VERIFIER_opt_begin(void) { return 0; }

void __VERIFIER_annotate_begin(int mask) {}

void __VERIFIER_annotate_end(int mask) {}

void __VERIFIER_loop_bound(int bound) {}

void cdsannotate(uint64_t kind, void* what) {}

void model_assert(_Bool holds, const char* file, int line) {
  if (!holds) __porf_fail("MODEL_ASSERT");
}

uint8_t load_8(const void* p) { return *(const uint8_t*)p; }

uint16_t load_16(const void* p) { return *(const uint16_t*)p; }

uint32_t load_32(const void* p) { return *(const uint32_t*)p; }

uint64_t load_64(const void* p) { return *(const uint64_t*)p; }

void store_8(void* p, uint8_t v) { *(uint8_t*)p = v; }

void store_16(void* p, uint16_t v) { *(uint16_t*)p = v; }

void store_32(void* p, uint32_t v) { *(uint32_t*)p = v; }

void store_64(void* p, uint64_t v) { *(uint64_t*)p = v; }
