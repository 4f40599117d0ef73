// Functions of <stdlib.h> and <ctype.h>: numbers, characters, sorting and searching, aligned memory.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

int posix_memalign(void** p, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* memory = aligned_alloc(alignment, size);
  if (memory == NULL) return ENOMEM;
  *p = memory;
  return 0;
}

int abs(int x) { return x < 0 ? -x : x; }

long labs(long x) { return x < 0 ? -x : x; }

long long llabs(long long x) { return x < 0 ? -x : x; }

int isdigit(int c) { return c >= '0' && c <= '9'; }

int isupper(int c) { return c >= 'A' && c <= 'Z'; }

int islower(int c) { return c >= 'a' && c <= 'z'; }

int isalpha(int c) { return isupper(c) || islower(c); }

int isalnum(int c) { return isalpha(c) || isdigit(c); }

int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

int toupper(int c) { return islower(c) ? c - 'a' + 'A' : c; }

int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

int isblank(int c) { return c == ' ' || c == '\t'; }

int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }

int isprint(int c) { return c >= ' ' && c < 127; }

int isgraph(int c) { return c > ' ' && c < 127; }

int ispunct(int c) { return isgraph(c) && !isalnum(c); }

int isascii(int c) { return c >= 0 && c < 128; }

int tolower(int c) { return isupper(c) ? c - 'A' + 'a' : c; }

long long strtoll(const char* restrict s, char** restrict end, int base) {
  const char* p = s;
  while (isspace((unsigned char)*p)) p++;
  const int negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    base = 16;
    p += 2;
  } else if (base == 0) {
    base = *p == '0' ? 8 : 10;
  }
  unsigned long long value = 0;
  int any = 0;
  for (;; p++) {
    const int c = (unsigned char)*p;
    const int digit = isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : 99;
    if (digit >= base) break;
    value = value * (unsigned)base + (unsigned)digit;
    any = 1;
  }
  if (end) *end = (char*)(any ? p : s);
  return (long long)(negative ? -value : value);
}

long strtol(const char* restrict s, char** restrict end, int base) { return (long)strtoll(s, end, base); }

unsigned long strtoul(const char* restrict s, char** restrict end, int base) {
  return (unsigned long)strtoll(s, end, base);
}

unsigned long long strtoull(const char* restrict s, char** restrict end, int base) {
  return (unsigned long long)strtoll(s, end, base);
}

// The names of these in newer headers of glibc.

long long __isoc23_strtoll(const char* restrict s, char** restrict end, int base) {
  return strtoll(s, end, base);
}

long __isoc23_strtol(const char* restrict s, char** restrict end, int base) {
  return (long)strtoll(s, end, base);
}

unsigned long __isoc23_strtoul(const char* restrict s, char** restrict end, int base) {
  return (unsigned long)strtoll(s, end, base);
}

// The order of bytes in networks is the other one.

uint16_t htons(uint16_t x) { return __builtin_bswap16(x); }

uint16_t ntohs(uint16_t x) { return __builtin_bswap16(x); }

uint32_t htonl(uint32_t x) { return __builtin_bswap32(x); }

uint32_t ntohl(uint32_t x) { return __builtin_bswap32(x); }

int atoi(const char* s) { return (int)strtoll(s, 0, 10); }

long atol(const char* s) { return (long)strtoll(s, 0, 10); }

long long atoll(const char* s) { return strtoll(s, 0, 10); }

void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  char *const a = base, *const kept = malloc(size);
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(a + (j - 1) * size, a + j * size) > 0; j--) {
      memcpy(kept, a + j * size, size);
      memcpy(a + j * size, a + (j - 1) * size, size);
      memcpy(a + (j - 1) * size, kept, size);
    }
  free(kept);
}

void*(bsearch)(const void* key, const void* base, size_t count, size_t size,
               int (*compare)(const void*, const void*)) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const char* const at = (const char*)base + middle * size;
    const int order = compare(key, at);
    if (order == 0) return (void*)at;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}
