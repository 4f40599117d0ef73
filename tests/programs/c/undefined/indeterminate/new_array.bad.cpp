// An element of new int[3] was never set.
// expect: indeterminate value
int main() {
  int* a = new int[3];
  a[0] = a[2] = 1;
  int found = 0;
  for (int i = 0; i < 3; i++)
    if (a[i] == 1) // here
      found++;
  delete[] a;
  return found > 3;
}
