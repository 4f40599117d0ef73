// A member reference is bound to a parameter, which ends with the constructor.
// expect: use after free
struct view {
  const int& it;
  explicit view(int x) : it(x) {}
};

int main() {
  view v(4);
  return v.it == 7; // here
}
