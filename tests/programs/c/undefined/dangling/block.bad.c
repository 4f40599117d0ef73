// The address of a variable is used after its block has ended.
// expect: use after free
int main(void) {
  int *p;
  {
    int x = 5;
    p = &x;
  }
  return *p != 5; // here
}
