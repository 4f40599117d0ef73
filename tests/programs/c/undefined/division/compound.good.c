// %= by what may not be 0.
int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 10;
  x %= __VERIFIER_nondet_int() + 1;
  return x > 0;
}
