// A function returns a struct of which one member was never set, and that is used.
// expect: indeterminate value
struct matrix { int cell[8]; int rows, columns; };

static struct matrix make(int rows) {
  struct matrix m;
  m.rows = rows;
  m.cell[0] = 1;
  return m;
}

int main(void) {
  struct matrix m = make(2);
  if (m.rows * 2 < m.columns) // here
    return 1;
  return 0;
}
