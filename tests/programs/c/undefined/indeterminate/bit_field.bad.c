// One of three bit-fields is never set.
// expect: indeterminate value
struct flags { unsigned a : 3, b : 5, c : 8; };

int main(void) {
  struct flags f;
  f.a = 1;
  f.c = 9;
  if (f.b == 2) // here
    return 0;
  return 0;
}
