// A derived class relies on a member that its base class does not set.
// expect: indeterminate value
struct shape {
  int sides;
  virtual int corners() const { return sides; }
};

struct square : shape {
  int size;
  square(int s) : size(s) {}
  bool pointed() const { return corners() > 2; } // here
};

int main() {
  square s(3);
  if (s.pointed()) // here
    return 1;
  return 0;
}
