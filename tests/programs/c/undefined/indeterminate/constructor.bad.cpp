// A constructor forgets a member.
// expect: indeterminate value
class counter {
  int value, step;

 public:
  counter(int start) : value(start) {}
  bool advance() {
    if (step > 100) // here
      return false;
    value += 1;
    return true;
  }
};

int main() {
  counter c(1);
  c.advance();
  return 0;
}
