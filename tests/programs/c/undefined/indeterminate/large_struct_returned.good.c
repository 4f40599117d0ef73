// A function returns a large struct of which only the members that are used were set.
#include <assert.h>

struct matrix { int cell[8]; int rows, columns; };

static struct matrix make(int rows) {
  struct matrix m;
  m.rows = rows;
  m.columns = 1;
  for (int i = 0; i < rows; i++)
    m.cell[i] = i;
  return m;
}

int main(void) {
  struct matrix m = make(2), n = m;
  assert(n.rows * n.columns == 2 && n.cell[1] == 1);
  return 0;
}
