// A function returns a string that it has built in a local array.
// expect: use after free
#include <string.h>

static const char *greet(int n) {
  char text[8];
  char *p = text;
  strcpy(text, "hello");
  text[n] = 0;
  return p;
}

int main(void) {
  const char *s = greet(2);
  return s[0] != 'h'; // here
}
