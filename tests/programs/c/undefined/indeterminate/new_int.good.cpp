// new int() is 0.
#include <cassert>

int main() {
  int* p = new int();
  int* q = new int{4};
  assert(*p == 0 && *q == 4);
  delete p;
  delete q;
  return 0;
}
