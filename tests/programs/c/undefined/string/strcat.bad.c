// strcat to an array that was never set.
// expect: indeterminate value
#include <string.h>

int main(void) {
  char text[8];
  strcat(text, "a"); // here
  return 0;
}
