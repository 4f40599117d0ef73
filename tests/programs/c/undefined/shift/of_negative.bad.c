// In C a negative number cannot be shifted to the left.
// expect: invalid shift
static int twice(int x) { return x << 1; } // here

int main(void) {
  return twice(-3) == 7;
}
