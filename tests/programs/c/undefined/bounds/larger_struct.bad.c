// A local variable is accessed as a larger structure.
// expect: out of bounds
struct pair { int first, second; };

int main(void) {
  int x = 1;
  struct pair *p = (struct pair *)&x;
  return p->second == 7; // here
}
