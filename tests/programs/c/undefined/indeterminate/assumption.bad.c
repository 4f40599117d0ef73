// An assumption about a value that was never set.
// expect: indeterminate value
void __VERIFIER_assume(int);

int main(void) {
  int x;
  __VERIFIER_assume(x == 1); // here
  return 0;
}
