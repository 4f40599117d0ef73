// The overrun of an array within a struct within an array stays within the outer array.
// expect: index out of bounds
struct row { short cell[3]; };
static struct row rows[2];

static void fill(struct row *r, int n) {
  for (int i = 0; i < n; i++)
    r->cell[i] = 1; // here
}

int main(void) {
  fill(&rows[0], 4);
  return rows[1].cell[0];
}
