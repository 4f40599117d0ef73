// A flag is tested in a word that was cleared.
#include <assert.h>

int main(void) {
  unsigned flags;
  flags = 0;
  flags |= 4;
  assert(!(flags & 2) && flags & 4);
  return 0;
}
