// A pointer that was set to null is compared with null.
#include <stddef.h>

int main(void) {
  int *p;
  p = NULL;
  if (p != NULL)
    return *p;
  return 0;
}
