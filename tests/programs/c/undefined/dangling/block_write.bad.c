// A write to a variable of a branch that has ended.
// expect: use after free
int main(int argc, char **argv) {
  int *p = 0;
  if (argc < 9) {
    int x[2] = {1, 2};
    p = x + 1;
  }
  if (p)
    *p = 3; // here
  return 0;
}
