// An array without a zero is printed as a string.
// expect: out of bounds
#include <stdio.h>
#include <string.h>

int main(void) {
  char word[4];
  memcpy(word, "word", 4);
  printf("%s\n", word); // here
  return 0;
}
