// An array that is declared in a loop is indeterminate again in every iteration.
// expect: indeterminate value
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int seen[3];
    seen[i] = 1;
    for (int j = 0; j <= i; j++)
      if (seen[j]) // here
        sum++;
  }
  return sum > 6;
}
