// A shift by a negative number.
// expect: invalid shift
static int power(int n) { return 64 >> n; } // here

int main(void) {
  return power(-1) == 7;
}
