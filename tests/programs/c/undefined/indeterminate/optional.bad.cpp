// A class keeps a value and whether it is there, and forgets to ask.
// expect: indeterminate value
struct maybe {
  bool there = false;
  int value;
  maybe() {}
  explicit maybe(int v) : there(true), value(v) {}
};

static maybe half(int x) { return x % 2 ? maybe() : maybe(x / 2); }

int main() {
  maybe m = half(3);
  if (m.value == 1) // here
    return 1;
  return 0;
}
