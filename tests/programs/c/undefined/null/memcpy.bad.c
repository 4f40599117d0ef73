// memcpy from null, of a size that is not 0.
// expect: null argument
#include <string.h>

static void load(char *to, const char *from, int n) {
  memcpy(to, from, n); // here
}

int main(void) {
  char buffer[4];
  load(buffer, 0, 2);
  return 0;
}
