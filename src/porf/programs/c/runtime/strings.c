// Functions of <string.h>, one character at a time.
#include <stddef.h>
#include <stdlib.h>

void __porf_overlap(void);

size_t strlen(const char* s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

int strncmp(const char* a, const char* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y) return x < y ? -1 : 1;
    if (!x) break;
  }
  return 0;
}

int strcmp(const char* a, const char* b) { return strncmp(a, b, (size_t)-1); }

int memcmp(const void* a, const void* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const unsigned char x = ((const unsigned char*)a)[i], y = ((const unsigned char*)b)[i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

void* memchr(const void* s, int c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (((const unsigned char*)s)[i] == (unsigned char)c) return (char*)s + i;
  return 0;
}

// Copies one character; the places that are copied from and to must not meet.
static void put(char* to, const char* from, size_t i) {
  if (to + i == from || from + i == to) __porf_overlap();
  to[i] = from[i];
}

char* strcpy(char* to, const char* from) {
  size_t i = 0;
  do put(to, from, i);
  while (from[i++]);
  return to;
}

char* strncpy(char* restrict to, const char* restrict from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) put(to, from, i);
  for (; i < n; i++) to[i] = 0;
  return to;
}

char* strcat(char* restrict to, const char* restrict from) {
  strcpy(to + strlen(to), from);
  return to;
}

char* strncat(char* restrict to, const char* restrict from, size_t n) {
  char* const end = to + strlen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++) end[i] = from[i];
  end[i] = 0;
  return to;
}

char* strchr(const char* s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char*)s;
    if (!*s) return 0;
  }
}

char* strrchr(const char* s, int c) {
  char* last = 0;
  for (;; s++) {
    if (*s == (char)c) last = (char*)s;
    if (!*s) return last;
  }
}

char* strstr(const char* s, const char* part) {
  const size_t n = strlen(part);
  for (;; s++) {
    if (strncmp(s, part, n) == 0) return (char*)s;
    if (!*s) return 0;
  }
}

char* strdup(const char* s) {
  char* const copy = malloc(strlen(s) + 1);
  return strcpy(copy, s);
}
