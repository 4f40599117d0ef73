// Numbers: fixed point, saturating and checked arithmetic, endianness, popcounts, CRC, date
// arithmetic, sorting with qsort.
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t fixed; // 16.16
static fixed from_int(int n) { return n * 65536; }
static fixed multiply(fixed a, fixed b) { return (fixed)(((int64_t)a * b) / 65536); }
static int to_int(fixed f) { return f / 65536; }

static int saturated(int a, int b) {
  if (b > 0 && a > INT_MAX - b)
    return INT_MAX;
  if (b < 0 && a < INT_MIN - b)
    return INT_MIN;
  return a + b;
}

static bool checked_multiply(int a, int b, int *out) { return !__builtin_mul_overflow(a, b, out); }

static unsigned magnitude(int x) { return x < 0 ? 0u - (unsigned)x : (unsigned)x; }

static void store_be32(unsigned char *p, uint32_t x) {
  for (int i = 3; i >= 0; i--, x >>= 8)
    p[i] = (unsigned char)x;
}

static uint32_t load_be32(const unsigned char *p) {
  uint32_t x = 0;
  for (int i = 0; i < 4; i++)
    x = x << 8 | p[i];
  return x;
}

static int ones(uint64_t x) {
  int n = 0;
  for (; x; x &= x - 1)
    n++;
  return n;
}

static uint32_t crc32(const void *data, size_t n) {
  uint32_t crc = ~(uint32_t)0;
  for (const unsigned char *p = data, *end = p + n; p != end; p++) {
    crc ^= *p;
    for (int k = 0; k < 8; k++)
      crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
  }
  return ~crc;
}

static int64_t days_from_civil(int64_t y, unsigned m, unsigned d) {
  y -= m <= 2;
  int64_t era = (y >= 0 ? y : y - 399) / 400;
  unsigned yoe = (unsigned)(y - era * 400);
  unsigned doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
  unsigned doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
  return era * 146097 + (int64_t)doe - 719468;
}

struct item { char name[6]; signed char rank; unsigned short weight : 10; unsigned short flag : 1; };

static int by_rank(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  if (x->rank != y->rank)
    return (x->rank > y->rank) - (x->rank < y->rank);
  return strcmp(x->name, y->name);
}

static uint16_t float_free_mean(const uint16_t *p, int n) {
  uint32_t s = 0;
  for (const uint16_t *q = p; q < p + n; ++q)
    s += *q;
  return (uint16_t)((s + (uint32_t)n / 2) / (uint32_t)n);
}

static long long gcd(long long a, long long b) {
  while (b) {
    long long r = a % b;
    a = b;
    b = r;
  }
  return a < 0 ? -a : a;
}

int main(void) {
  assert(to_int(multiply(from_int(12), from_int(-3) + 32768)) == -30);
  assert(saturated(INT_MAX, 5) == INT_MAX && saturated(INT_MIN, -1) == INT_MIN && saturated(INT_MAX, INT_MIN) == -1);
  int out;
  assert(checked_multiply(46340, 46340, &out) && out == 2147395600 && !checked_multiply(46341, 46341, &out));
  assert(magnitude(INT_MIN) == 2147483648u && magnitude(-5) == 5);
  unsigned char bytes[6];
  store_be32(bytes + 1, 0x89abcdef);
  assert(load_be32(bytes + 1) == 0x89abcdef && bytes[1] == 0x89);
  assert(ones(0) == 0 && ones(UINT64_MAX) == 64 && ones(0x8000000000000001u) == 2);
  assert(crc32("123456789", 9) == 0xcbf43926u && crc32("", 0) == 0);
  assert(days_from_civil(1970, 1, 1) == 0 && days_from_civil(2000, 3, 1) == 11017 && days_from_civil(-1, 2, 29) < 0);
  struct item items[] = {{"pear", 2, 1023, 1}, {"fig", -1, 3, 0}, {"apple", 2, 7, 1}};
  qsort(items, 3, sizeof *items, by_rank);
  assert(items[0].weight == 3 && strcmp(items[1].name, "apple") == 0 && items[2].flag == 1);
  uint16_t w[] = {65535, 65535, 65534};
  assert(float_free_mean(w, 3) == 65535);
  assert(gcd(-84, 36) == 12 && gcd(0, 7) == 7);
  unsigned char small = 200;
  small += 100; // 44: a conversion
  short s = SHRT_MAX;
  s = (short)(s + 1);
  assert(small == 44 && s == SHRT_MIN && (char)-1 < 0 && (unsigned char)~0 == 255);
  unsigned shift = 31;
  assert(1u << shift == 0x80000000u && -8 / 3 == -2 && -8 % 3 == -2 && (-8) >> 1 == -4);
  return 0;
}
