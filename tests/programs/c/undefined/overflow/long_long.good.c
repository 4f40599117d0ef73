// The largest factorial that fits a long long.
#include <assert.h>

static long long factorial(int n) {
  long long f = 1;
  for (int i = 2; i <= n; i++)
    f *= i;
  return f;
}

int main(void) {
  assert(factorial(20) == 2432902008176640000LL);
  return 0;
}
