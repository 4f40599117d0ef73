// A call through a null pointer.
// expect: call of no function
typedef int (*callback)(int);

static int apply(callback f, int x) {
  return f(x); // here
}

int main(void) {
  return apply(0, 1);
}
