// Floating-point arithmetic of one thread, and what IEEE 754 says of it.
// executions: rc11 1
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct point {
    double x, y;
    float z;
} p = {1.5, -0.25, 3.0f};
double table[] = {0.1, INFINITY, -0.0};

static double mean(const double *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += values[i];
    return sum / count;
}

int main(int argc, char **argv) {
    float half = argc * 0.5f;
    assert(half < 2.0f && p.x + p.y == 1.25 && p.z == 3);
    assert(0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f);
    volatile double zero = 0.0;
    assert(isinf(1 / zero) && isnan(zero / zero) && !isnan(zero) && signbit(-zero) && isfinite(zero));
    assert(!isnormal(zero) && isnormal(1.0) && table[1] > 1e308 && signbit(table[2]) && table[2] == 0);
    assert(!(zero / zero == zero / zero) && zero / zero != zero && !(zero / zero < 1));
    assert((int)-2.7 == -2 && (unsigned)3.9f == 3 && (double)(1ul << 63) == 9223372036854775808.0);
    assert((float)16777217 == 16777216.0f && (float)9007199791611905 == 9007200328482816.0f);
    assert(sqrt(2.0) * sqrt(2.0) > 2.0 && floor(-1.5) == -2 && ceil(1.2f) == 2 && trunc(-1.7) == -1);
    assert(round(2.5) == 3 && rint(2.5) == 2 && fmod(5.5, 2) == 1.5);
    assert(fmin(1, 2) == 1 && fmaxf(1, 2) == 2 && fabs(-3.0) == 3 && copysign(1, -0.0) == -1);
    uint64_t bits;
    memcpy(&bits, &p.x, sizeof bits);
    assert(bits == 0x3ff8000000000000);
    double values[3] = {1, 2, 4.5};
    assert(mean(values, 3) == 2.5);
    long double third = 1.0L / 3; // it is a double
    assert(third == 1.0 / 3);
    printf("%f %5.2f %g %e\n", p.x, mean(values, 2), 0.1, 12345.678);
    return 0;
}
