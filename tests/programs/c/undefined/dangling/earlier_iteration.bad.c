// The variable of an earlier iteration is gone, even though it is declared at the same place.
// expect: use after free
int main(void) {
  int *first = 0, sum = 0;
  for (int i = 0; i < 2; i++) {
    int x = i + 1;
    if (!first)
      first = &x;
    sum += *first; // here
  }
  return sum > 9;
}
