// A pointer to a local array is indexed by a constant beyond its end: no optimisation may take this for any value.
// expect: pointer out of bounds
int main(void) {
  int a[4] = {1, 2, 3, 4};
  int *p = a;
  return p[5] == 7; // here
}
