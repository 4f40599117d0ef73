// new int does not set the int.
// expect: indeterminate value
int main() {
  int* p = new int;
  if (*p > 0) // here
    *p = 0;
  delete p;
  return 0;
}
