// What new made is freed by free.
// expect: mismatched free
#include <cstdlib>

int main() {
  int* p = new int(3);
  std::free(p); // here
  return 0;
}
