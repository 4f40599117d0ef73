// A table of functions has an empty entry, which is called.
// expect: call of no function
static int one(void) { return 1; }
static int two(void) { return 2; }

static int (*const table[4])(void) = {one, [2] = two};

int main(void) {
  int s = 0;
  for (int i = 0; i < 3; i++)
    s += table[i](); // here
  return s != 3;
}
