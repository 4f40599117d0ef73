// A shift by more than the width is undefined in C++20, too.
// expect: invalid shift
static long bit(int n) { return 1 << n; } // here

int main() {
  return bit(40) == 0;
}
