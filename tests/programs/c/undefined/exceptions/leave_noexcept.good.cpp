// An exception is caught within a function that is noexcept.
#include <cassert>

static int quiet() noexcept {
  try {
    throw 1;
  } catch (int e) {
    return e;
  }
}

int main() {
  assert(quiet() == 1);
  return 0;
}
