// A string is copied to an array that has room for its zero.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *s = "four";
  char *copy = malloc(strlen(s) + 1);
  strcpy(copy, s);
  assert(strcmp(copy, "four") == 0);
  free(copy);
  return 0;
}
