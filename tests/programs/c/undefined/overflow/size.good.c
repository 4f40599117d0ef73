// The number of bytes is computed as a size.
#include <assert.h>
#include <stddef.h>

static size_t bytes(int n, int size) { return (size_t)n * (size_t)size; }

int main(void) {
  assert(bytes(1 << 20, 1 << 12) == 1ull << 32);
  return 0;
}
