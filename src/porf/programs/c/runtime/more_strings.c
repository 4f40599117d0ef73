// Functions on strings and blocks beside those of C90: bounded ones (memcpy_s), POSIX's and BSD's, and numbers of bits.
#include "porf.h"
#include <string.h>
#include <strings.h>

size_t strnlen(const char* s, size_t n) {
  size_t i = 0;
  while (i < n && s[i]) i++;
  return i;
}

char* strndup(const char* s, size_t n) {
  const size_t size = strnlen(s, n);
  char* const copy = malloc(size + 1);
  if (!copy) return 0;
  memcpy(copy, s, size);
  copy[size] = 0;
  return copy;
}

char* stpcpy(char* restrict to, const char* restrict from) {
  while ((*to = *from++)) to++;
  return to;
}

size_t strlcpy(char* restrict to, const char* restrict from, size_t room) {
  const size_t size = strlen(from);
  if (room) {
    const size_t copied = size < room ? size : room - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return size;
}

size_t strlcat(char* restrict to, const char* restrict from, size_t room) {
  const size_t used = strnlen(to, room);
  return used + strlcpy(to + used, from, room - used);
}

static int porf_among(char c, const char* set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

size_t strspn(const char* s, const char* set) {
  size_t n = 0;
  while (s[n] && porf_among(s[n], set)) n++;
  return n;
}

size_t strcspn(const char* s, const char* set) {
  size_t n = 0;
  while (s[n] && !porf_among(s[n], set)) n++;
  return n;
}

char* strpbrk(const char* s, const char* set) {
  s += strcspn(s, set);
  return *s ? (char*)s : 0;
}

char* strtok_r(char* restrict s, const char* restrict between, char** restrict rest) {
  if (!s) s = *rest;
  s += strspn(s, between);
  if (!*s) {
    *rest = s;
    return 0;
  }
  char* const end = s + strcspn(s, between);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return s;
}

char* strtok(char* restrict s, const char* restrict between) {
  static char* rest;
  return strtok_r(s, between, &rest);
}

static int porf_lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c; }

int strncasecmp(const char* a, const char* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const int x = porf_lower(a[i]), y = porf_lower(b[i]);
    if (x != y) return x < y ? -1 : 1;
    if (!x) break;
  }
  return 0;
}

int strcasecmp(const char* a, const char* b) { return strncasecmp(a, b, (size_t)-1); }

char* index(const char* s, int c) { return strchr(s, c); }

char* rindex(const char* s, int c) { return strrchr(s, c); }

void* mempcpy(void* restrict to, const void* restrict from, size_t n) {
  memcpy(to, from, n);
  return (char*)to + n;
}

void* memrchr(const void* s, int c, size_t n) {
  while (n-- > 0)
    if (((const unsigned char*)s)[n] == (unsigned char)c) return (char*)s + n;
  return 0;
}

void bzero(void* to, size_t n) { memset(to, 0, n); }

void explicit_bzero(void* to, size_t n) { memset(to, 0, n); }

void bcopy(const void* from, void* to, size_t n) { memmove(to, from, n); }

int bcmp(const void* a, const void* b, size_t n) { return memcmp(a, b, n); }

char* strerror(int number) { return "error"; }

// C11's Annex K: what does not fit is an error, and leaves zeros.

int memcpy_s(void* restrict to, size_t room, const void* restrict from, size_t n) {
  if (!to) return EINVAL;
  if (!from || n > room) {
    memset(to, 0, room);
    return from ? ERANGE : EINVAL;
  }
  memcpy(to, from, n);
  return 0;
}

int memmove_s(void* to, size_t room, const void* from, size_t n) {
  if (!to) return EINVAL;
  if (!from || n > room) {
    memset(to, 0, room);
    return from ? ERANGE : EINVAL;
  }
  memmove(to, from, n);
  return 0;
}

int memset_s(void* to, size_t room, int c, size_t n) {
  if (!to) return EINVAL;
  memset(to, c, n < room ? n : room);
  return n > room ? ERANGE : 0;
}

int strcpy_s(char* restrict to, size_t room, const char* restrict from) {
  if (!to || !room) return EINVAL;
  const size_t size = from ? strnlen(from, room) : room;
  if (size == room) {
    *to = 0;
    return from ? ERANGE : EINVAL;
  }
  memcpy(to, from, size + 1);
  return 0;
}

int strncpy_s(char* restrict to, size_t room, const char* restrict from, size_t n) {
  if (!to || !room) return EINVAL;
  const size_t size = from ? strnlen(from, n < room ? n : room) : room;
  if (size == room) {
    *to = 0;
    return from ? ERANGE : EINVAL;
  }
  memcpy(to, from, size);
  to[size] = 0;
  return 0;
}

int strcat_s(char* restrict to, size_t room, const char* restrict from) {
  const size_t used = to ? strnlen(to, room) : 0;
  if (!to || used == room) return EINVAL;
  const int failed = strcpy_s(to + used, room - used, from);
  if (failed) *to = 0;
  return failed;
}

int ffs(int x) { return __builtin_ffs(x); }

int ffsl(long x) { return __builtin_ffsl(x); }

int ffsll(long long x) { return __builtin_ffsll(x); }
