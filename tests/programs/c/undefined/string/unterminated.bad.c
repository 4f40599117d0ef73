// strlen of an array without a zero.
// expect: out of bounds
#include <string.h>

static const char word[4] = "word";

int main(void) {
  return strlen(word) > 100; // here
}
