// In C a one cannot be shifted into the sign.
// expect: invalid shift
static int flag(int n) { return 1 << n; } // here

int main(void) {
  return flag(31) > 0;
}
