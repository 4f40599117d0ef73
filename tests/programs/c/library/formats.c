// executions: rc11 1
// Text in memory by formats, and random numbers that are the same in every execution.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char b[64];
  assert(snprintf(b, sizeof b, "%d|%5d|%-5d|%05d|%+d|%x|%#x|%lu|%c|%s|%.2s|%%", 42, -7, 7, 42, 3, 255, 255, 1UL << 40,
                  'z', "abc", "xyz") == (int)strlen(b));
  assert(!strcmp(b, "42|   -7|7    |00042|+3|ff|0xff|1099511627776|z|abc|xy|%"));
  assert(snprintf(b, 4, "%s", "hello") == 5 && !strcmp(b, "hel"));
  assert(sprintf(b, "%08.3d %hhd %zu %p", 5, 300, sizeof b, (void*)0) && !strcmp(b, "     005 44 64 (nil)"));
  srand(1);
  int a = rand();
  srand(1);
  assert(a == rand() && a >= 0);
  printf("%s\n", b);
  return 0;
}
