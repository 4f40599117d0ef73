// An array without a zero is printed with its length.
#include <stdio.h>
#include <string.h>

int main(void) {
  char word[4];
  memcpy(word, "word", 4);
  printf("%.4s\n", word);
  return 0;
}
