// An array of pointers collects the addresses of elements.
#include <assert.h>

int main(void) {
  int *kept[3], squares[3], sum = 0;
  for (int i = 0; i < 3; i++) {
    squares[i] = i * i;
    kept[i] = &squares[i];
  }
  for (int i = 0; i < 3; i++)
    sum += *kept[i];
  assert(sum == 5);
  return 0;
}
