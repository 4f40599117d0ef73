// The search ends with the array.
#include <assert.h>

struct entry { int key, value; };

static struct entry table[2] = {{1, 10}, {2, 20}};

static int look(int key) {
  for (int i = 0; i < 2; i++)
    if (table[i].key == key)
      return table[i].value;
  return -1;
}

int main(void) {
  assert(look(3) == -1 && look(2) == 20);
  return 0;
}
