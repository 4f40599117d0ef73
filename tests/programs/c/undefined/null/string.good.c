// The length of a string that is there.
#include <assert.h>
#include <string.h>

static const char *name(int i) { return i == 1 ? "one" : 0; }

int main(void) {
  assert(strlen(name(1)) == 3);
  assert(name(2) == 0);
  return 0;
}
