// Two variables and two strings are called the same, and a string has blanks: all of them can be told apart in records.
#include <assert.h>
#include <string.h>

static const char *volatile first = "a long common beginning of one", *volatile second = "a long common beginning of two";

static int calls(void) {
  static int n;
  return ++n;
}

static int others(void) {
  static int n;
  return ++n;
}

int main(void) {
  calls();
  others();
  assert(strcmp(first, second) == 0 || calls() == others() + 1);
  return 0;
}
