// A string is copied to an array that has no room for its zero.
// expect: out of bounds
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *s = "four";
  char *copy = malloc(strlen(s));
  strcpy(copy, s); // here
  free(copy);
  return 0;
}
