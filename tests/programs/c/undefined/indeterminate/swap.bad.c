// One of two variables that are swapped was never set.
// expect: indeterminate value
static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

int main(void) {
  int x = 1, y;
  swap(&x, &y);
  if (x > 0) // here
    return 1;
  return 0;
}
