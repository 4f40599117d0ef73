// The address of a parameter is used after its function has returned.
// expect: use after free
struct entry { int *value; };
static struct entry table[2];

static void enter(int i, int value) { table[i].value = &value; }

int main(void) {
  enter(0, 3);
  enter(1, 4);
  return *table[0].value + *table[1].value != 7; // here
}
