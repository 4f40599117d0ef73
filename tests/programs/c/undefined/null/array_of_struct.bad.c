// An element of an array that was never allocated.
// expect: pointer out of bounds
struct item { int a[4]; };
struct store { struct item *items; int count; };

static struct store s;

int main(void) {
  s.items[2].a[1] = 5; // here
  return 0;
}
