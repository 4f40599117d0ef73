// What new made is deleted, and what malloc returned is freed.
#include <cstdlib>

int main() {
  int* p = new int(3);
  delete p;
  void* q = std::malloc(4);
  std::free(q);
  return 0;
}
