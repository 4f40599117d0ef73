// The first iteration of a loop has no previous element, and does not ask.
#include <assert.h>

static const int a[4] = {1, 1, 2, 2};

int main(void) {
  int previous, changes = 0;
  for (int i = 0; i < 4; i++) {
    if (i > 0 && a[i] != previous)
      changes++;
    previous = a[i];
  }
  assert(changes == 1);
  return 0;
}
