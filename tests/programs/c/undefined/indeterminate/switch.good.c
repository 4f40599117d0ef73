// A switch on a variable that every case before it has set.
#include <assert.h>

int main(void) {
  int x, y = 0;
  for (int i = 0; i < 2; i++) {
    x = i;
    switch (x) {
    case 0: y += 1; break;
    case 1: y += 2; break;
    default: y = 100;
    }
  }
  assert(y == 3);
  return 0;
}
