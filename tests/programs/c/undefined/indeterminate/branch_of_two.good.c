// The first operand of && decides: the second, never set, is not evaluated.
int main(void) {
  int a = 0, b;
  if (a && b)
    a = 2;
  return a > 2;
}
