// A switch jumps past the initialisation of a variable, and sets it.
#include <assert.h>

int main(void) {
  int r = 0;
  switch (r) {
    int y = 5;
  case 0:
    y = 6;
    if (y == 6)
      r = 1;
  }
  assert(r == 1);
  return 0;
}
