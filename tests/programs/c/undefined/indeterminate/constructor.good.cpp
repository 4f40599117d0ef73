// A constructor sets one member, and the other one's initialiser sets that.
#include <cassert>

class counter {
  int value, step = 2;

 public:
  counter(int start) : value(start) {}
  int advance() {
    if (step > 100)
      return 0;
    return value += step;
  }
};

int main() {
  counter c(1);
  assert(c.advance() == 3);
  return 0;
}
