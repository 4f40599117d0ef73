// A closure captures a local variable by reference and outlives it.
// expect: use after free
static auto counter(int start) {
  int n = start;
  return [&n] { return ++n; }; // here
}

int main() {
  auto c = counter(3);
  return c() != 4; // here
}
