// A variable is set on one path only.
// expect: indeterminate value
int __VERIFIER_nondet_int(void);

int main(void) {
  int x;
  if (__VERIFIER_nondet_int())
    x = 1;
  if (x == 1) // here
    return 0;
  return 0;
}
