// All elements of new int[3]() are 0.
#include <cassert>

int main() {
  int* a = new int[3]();
  a[0] = a[2] = 1;
  int found = 0;
  for (int i = 0; i < 3; i++)
    if (a[i] == 1)
      found++;
  delete[] a;
  assert(found == 2);
  return 0;
}
