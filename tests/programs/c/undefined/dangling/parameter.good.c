// Pointers that were passed outlive the call.
#include <assert.h>

struct entry { int *value; };
static struct entry table[2];

static void enter(int i, int *value) { table[i].value = value; }

int main(void) {
  int three = 3, four = 4;
  enter(0, &three);
  enter(1, &four);
  assert(*table[0].value + *table[1].value == 7);
  return 0;
}
