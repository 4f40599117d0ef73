// The first iteration of a loop compares with a previous element that there is not.
// expect: indeterminate value
static const int a[4] = {1, 1, 2, 2};

int main(void) {
  int previous, changes = 0;
  for (int i = 0; i < 4; i++) {
    if (a[i] != previous) // here
      changes++;
    previous = a[i];
  }
  return changes > 4;
}
