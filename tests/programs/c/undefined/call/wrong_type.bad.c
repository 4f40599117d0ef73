// A function is called through a pointer of another type.
// expect: call of another type
static int add(int a, int b) { return a + b; }

typedef int (*unary)(int);

int main(void) {
  unary f = (unary)add;
  return f(1) == 7; // here
}
