// The last character is set after strncpy.
#include <assert.h>
#include <string.h>

int main(void) {
  char name[4];
  strncpy(name, "long name", sizeof name);
  name[3] = 0;
  assert(strlen(name) == 3);
  return 0;
}
