// A function sets a pointer only if it finds something.
// expect: indeterminate value
static int a[3] = {1, 2, 3};

static int *find(int x) {
  int *found;
  for (int i = 0; i < 3; i++)
    if (a[i] == x)
      found = &a[i];
  return found;
}

int main(void) {
  int *p = find(9);
  if (p) // here
    return 1;
  return 0;
}
