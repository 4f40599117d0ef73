// A local variable is accessed as the first member of a structure.
struct pair { int first, second; };

int main(void) {
  struct pair x = {1, 2};
  int *p = (int *)&x;
  return *p == 7;
}
