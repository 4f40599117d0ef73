// Integers of all widths wrap, shift, divide and convert as C says. One thread: one execution.
// executions: rc11 1, sc 1
#include <assert.h>
#include <stdint.h>
#include <stdbool.h>

volatile int zero; // so that nothing is computed before the program runs

int main(void) {
    int8_t small = (int8_t)(127 + zero);
    small++;
    assert(small == -128);
    uint8_t byte = (uint8_t)(250 + zero);
    byte += 10;
    assert(byte == 4);
    uint32_t word = 0xffffffffu + (unsigned)zero;
    assert(word + 1 == 0 && (uint64_t)word + 1 == 0x100000000u);
    assert((-7 + zero) / 2 == -3 && (-7 + zero) % 2 == -1);
    assert((-8 + zero) >> 1 == -4 && (unsigned)(-8 + zero) >> 28 == 15);
    int64_t wide = INT64_MAX - zero;
    assert((uint64_t)wide + 1 == 0x8000000000000000u);
    assert((int16_t)(0x18000 + zero) == INT16_MIN);
    assert((-1 + zero < 1u) == false);
    bool truth = 256 + zero;
    assert(truth == 1 && !truth == 0);
    assert((zero ? 1 : 2) == 2 && (int)(1u << (zero + 31)) < 0);
    assert(__builtin_popcount(255u + (unsigned)zero) == 8);
    return 0;
}
