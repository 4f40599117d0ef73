// memcpy reads what there is, and memcpy of nothing reads nothing.
#include <assert.h>
#include <string.h>

int main(void) {
  int from[2] = {1, 2}, to[4];
  memcpy(to, from, sizeof from);
  memcpy(to + 4, from, 0);
  assert(to[1] == 2);
  return 0;
}
