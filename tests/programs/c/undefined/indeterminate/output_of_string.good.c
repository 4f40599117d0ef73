// The characters after the end of a string need not be set.
#include <stdio.h>

int main(void) {
  char name[8];
  name[0] = 'h';
  name[1] = 'i';
  name[2] = 0;
  printf("%s\n", name);
  return 0;
}
