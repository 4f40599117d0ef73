// Each inner array is filled up to its end.
#include <assert.h>

struct row { short cell[3]; };
static struct row rows[2];

static void fill(struct row *r, int n) {
  for (int i = 0; i < n; i++)
    r->cell[i] = 1;
}

int main(void) {
  fill(&rows[0], 3);
  assert(rows[0].cell[2] == 1 && rows[1].cell[0] == 0);
  return 0;
}
