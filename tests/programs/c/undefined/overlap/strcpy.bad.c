// strcpy within one string.
// expect: overlapping copy
#include <string.h>

int main(void) {
  char a[12] = "  word";
  strcpy(a, a + 2); // here
  return a[0] != 'w';
}
