// Nothing is copied from null, because somebody asks.
#include <string.h>

static void load(char *to, const char *from, int n) {
  if (from)
    memcpy(to, from, n);
}

int main(void) {
  char buffer[4];
  load(buffer, 0, 2);
  load(buffer, "ab", 2);
  return buffer[0] != 'a';
}
