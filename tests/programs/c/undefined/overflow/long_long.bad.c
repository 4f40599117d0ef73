// A factorial that does not fit a long long.
// expect: signed overflow
static long long factorial(int n) {
  long long f = 1;
  for (int i = 2; i <= n; i++)
    f *= i; // here
  return f;
}

int main(void) {
  return factorial(21) == 0;
}
