// A promise to the compiler does not hold.
// expect: invalid builtin
static int half(int x) {
  __builtin_assume(x % 2 == 0); // here
  return x / 2;
}

int main(void) {
  return half(3);
}
