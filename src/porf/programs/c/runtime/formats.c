// Text that is made by a format, as printf does, but in memory. Numbers are integers.
#include "porf.h"
#include <stdarg.h>
#include <stdio.h>

// Each character has a place in the text; one that has no room is only counted.
#define PUT(c)                            \
  do {                                    \
    if (at + 1 < room) to[at] = (char)(c); \
    at++;                                 \
  } while (0)

enum { LEFT = 1, ZEROS = 2, PLUS = 4, BLANK = 8, PREFIX = 16 };

static int porf_flag(char c) {
  return c == '-' ? LEFT : c == '0' ? ZEROS : c == '+' ? PLUS : c == ' ' ? BLANK : c == '#' ? PREFIX : 0;
}

static size_t porf_number(char* to, size_t room, size_t at, unsigned long long value, int is_negative, int base,
                          int capital, int flags, int width, int precision) {
  char digits[24];
  int count = 0;
  while (value || (!count && precision)) {
    const int digit = (int)(value % base);
    digits[count++] = (char)(digit < 10 ? '0' + digit : (capital ? 'A' : 'a') + digit - 10);
    value /= base;
  }
  const int prefix = flags & PREFIX && count && !(count == 1 && digits[0] == '0') ? (base == 16 ? 2 : base == 8) : 0;
  const char sign = is_negative ? '-' : flags & PLUS ? '+' : flags & BLANK ? ' ' : 0;
  int zeros = precision > count ? precision - count : 0;
  const int used = count + zeros + prefix + !!sign;
  int blanks = width > used ? width - used : 0;
  if (flags & ZEROS && !(flags & LEFT) && precision < 0) {
    zeros += blanks;
    blanks = 0;
  }
  if (!(flags & LEFT))
    for (; blanks > 0; blanks--) PUT(' ');
  if (sign) PUT(sign);
  if (prefix) PUT('0');
  if (prefix == 2) PUT(capital ? 'X' : 'x');
  for (; zeros > 0; zeros--) PUT('0');
  while (count > 0) PUT(digits[--count]);
  for (; blanks > 0; blanks--) PUT(' ');
  return at;
}

static size_t porf_string(char* to, size_t room, size_t at, const char* s, int flags, int width, int precision) {
  int count = 0;
  while ((precision < 0 || count < precision) && s[count]) count++;
  int blanks = width > count ? width - count : 0;
  if (!(flags & LEFT))
    for (; blanks > 0; blanks--) PUT(' ');
  for (int i = 0; i < count; i++) PUT(s[i]);
  for (; blanks > 0; blanks--) PUT(' ');
  return at;
}

// A list of arguments is changed by whoever reads it, so all arguments are read here.
int vsnprintf(char* restrict to, size_t room, const char* restrict f, va_list arguments) {
  size_t at = 0;
  for (; *f; f++) {
    if (*f != '%') {
      PUT(*f);
      continue;
    }
    int flags = 0, width = 0, precision = -1, longs = 0, shorts = 0;
    for (f++; porf_flag(*f); f++) flags |= porf_flag(*f);
    if (*f == '*') {
      width = va_arg(arguments, int);
      f++;
    }
    for (; *f >= '0' && *f <= '9'; f++) width = 10 * width + *f - '0';
    if (width < 0) {
      flags |= LEFT;
      width = -width;
    }
    if (*f == '.') {
      f++;
      precision = *f == '*' ? va_arg(arguments, int) : 0;
      if (*f == '*') f++;
      for (; *f >= '0' && *f <= '9'; f++) precision = 10 * precision + *f - '0';
    }
    for (; *f == 'h'; f++) shorts++;
    for (; *f == 'l' || *f == 'j' || *f == 'z' || *f == 't'; f++) longs++;
    if (*f == '%') {
      PUT('%');
    } else if (*f == 'c') {
      const char c[2] = {(char)va_arg(arguments, int), 0};
      for (; !(flags & LEFT) && width > 1; width--) PUT(' ');
      PUT(c[0]);
      for (; width > 1; width--) PUT(' ');
    } else if (*f == 's') {
      const char* const s = va_arg(arguments, const char*);
      at = porf_string(to, room, at, s ? s : "(null)", flags, width, precision);
    } else if (*f == 'd' || *f == 'i') {
      long long value = longs ? va_arg(arguments, long long) : va_arg(arguments, int);
      if (shorts) value = shorts > 1 ? (signed char)value : (short)value;
      const unsigned long long size = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
      at = porf_number(to, room, at, size, value < 0, 10, 0, flags, width, precision);
    } else if (*f == 'u' || *f == 'x' || *f == 'X' || *f == 'o') {
      unsigned long long value = longs ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned);
      if (shorts) value = shorts > 1 ? (unsigned char)value : (unsigned short)value;
      const int base = *f == 'u' ? 10 : *f == 'o' ? 8 : 16;
      at = porf_number(to, room, at, value, 0, base, *f == 'X', flags & ~(PLUS | BLANK), width, precision);
    } else if (*f == 'p') {
      const unsigned long long value = (unsigned long long)va_arg(arguments, void*);
      if (value)
        at = porf_number(to, room, at, value, 0, 16, 0, flags | PREFIX, width, precision);
      else
        at = porf_string(to, room, at, "(nil)", flags, width, -1);
    } else {
      __porf_unsupported("a format other than %d %i %u %x %X %o %c %s %p in memory (snprintf)");
    }
  }
  if (room) to[at < room ? at : room - 1] = 0;
  return (int)at;
}

#define FORMAT(to, room, format)                           \
  va_list arguments;                                       \
  va_start(arguments, format);                             \
  const int found = vsnprintf(to, room, format, arguments); \
  va_end(arguments);                                       \
  return found

#define ANY ((size_t)-1)

int vsprintf(char* restrict to, const char* restrict format, va_list arguments) {
  return vsnprintf(to, ANY, format, arguments);
}

int snprintf(char* restrict to, size_t room, const char* restrict format, ...) { FORMAT(to, room, format); }

int sprintf(char* restrict to, const char* restrict format, ...) { FORMAT(to, ANY, format); }

int __snprintf_chk(char* to, size_t room, int flag, size_t size, const char* format, ...) { FORMAT(to, room, format); }

int __sprintf_chk(char* to, int flag, size_t size, const char* format, ...) { FORMAT(to, ANY, format); }

int __vsnprintf_chk(char* to, size_t room, int flag, size_t size, const char* format, va_list arguments) {
  return vsnprintf(to, room, format, arguments);
}

int __vsprintf_chk(char* to, int flag, size_t size, const char* format, va_list arguments) {
  return vsnprintf(to, ANY, format, arguments);
}

int vasprintf(char** restrict to, const char* restrict format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int size = vsnprintf(0, 0, format, again);
  va_end(again);
  *to = malloc((size_t)size + 1);
  return *to ? vsnprintf(*to, (size_t)size + 1, format, arguments) : -1;
}

int asprintf(char** restrict to, const char* restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int found = vasprintf(to, format, arguments);
  va_end(arguments);
  return found;
}
