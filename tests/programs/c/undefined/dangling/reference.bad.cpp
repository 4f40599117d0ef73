// A function returns a reference to its own variable.
// expect: use after free
static int& local(int x) {
  int y = x + 1;
  int& r = y;
  return r;
}

int main() {
  int& r = local(1);
  return r != 2; // here
}
