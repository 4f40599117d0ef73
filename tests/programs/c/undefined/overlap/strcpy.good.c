// strcpy between two arrays.
#include <assert.h>
#include <string.h>

int main(void) {
  char a[12] = "  word", b[12];
  strcpy(b, a + 2);
  strcat(b, "!");
  assert(strcmp(b, "word!") == 0);
  return 0;
}
