// A jump out of a block ends the block's variables.
// expect: use after free
int main(void) {
  int *p = 0, n = 0;
  {
    int x = 1;
    p = &x;
    if (n == 0)
      goto out;
    n = 2;
  }
out:
  return *p == 7; // here
}
