// An array that was initialised by a string literal is modified.
#include <assert.h>

int main(void) {
  char s[] = "hello";
  s[0] = 'j';
  assert(s[0] == 'j' && s[4] == 'o');
  return 0;
}
