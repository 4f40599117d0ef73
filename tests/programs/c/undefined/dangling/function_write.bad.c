// A write to a local variable of a function that has returned.
// expect: use after free
static int *kept;

static void keep(void) {
  int x = 5;
  kept = &x;
}

int main(void) {
  keep();
  *kept = 6; // here
  return 0;
}
