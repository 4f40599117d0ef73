// %= by what may be 0.
// expect: invalid division
int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 10;
  x %= __VERIFIER_nondet_int(); // here
  return x > 0;
}
