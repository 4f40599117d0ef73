// A closure captures a variable before it is set.
// expect: indeterminate value
int main() {
  int x;
  auto positive = [x] { return x > 0; }; // here
  x = 1;
  if (positive()) // here
    return 1;
  return 0;
}
