// A pointer to a local array is indexed by a constant within its bounds.
int main(void) {
  int a[4] = {1, 2, 3, 4};
  int *p = a;
  return p[3] == 7;
}
