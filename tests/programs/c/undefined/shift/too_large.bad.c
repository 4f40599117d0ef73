// 1 << 40 in an int.
// expect: invalid shift
static long bit(int n) { return 1 << n; } // here

int main(void) {
  return bit(40) == 0;
}
