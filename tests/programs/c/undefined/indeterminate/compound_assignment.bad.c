// A sum that begins with an indeterminate value.
// expect: indeterminate value
int a[3] = {1, 2, 3};

int main(void) {
  unsigned sum;
  for (int i = 0; i < 3; i++)
    sum += a[i];
  if (sum > 6) // here
    return 1;
  return 0;
}
