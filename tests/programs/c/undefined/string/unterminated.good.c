// strnlen of an array without a zero.
#include <assert.h>
#include <string.h>

static const char word[4] = "word";

int main(void) {
  int n = 0;
  while (n < 4 && word[n])
    n++;
  assert(n == 4);
  assert(memcmp(word, "word", 4) == 0);
  return 0;
}
