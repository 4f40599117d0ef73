// A const object is modified through a cast.
// expect: write to a constant
static const int limit = 10;

static void raise(int *p) { *p = 20; } // here

int main(void) {
  raise((int *)&limit);
  return 0;
}
