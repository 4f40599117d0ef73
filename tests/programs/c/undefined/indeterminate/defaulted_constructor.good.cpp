// A job that was copied from one that is value-initialised.
#include <cassert>

struct job {
  int id;
  job() = default;
  bool first() const { return id == 0; }
};

int main() {
  job j = job();
  job k(j);
  assert(k.first());
  return 0;
}
