// In C++ the end of a function with a result must not be reached, even if nobody uses the result.
// expect: missing return
static int sign(int x) { // here
  if (x > 0)
    return 1;
  if (x < 0) // here
    return -1;
} // here

int main() {
  sign(0);
  return 0;
}
