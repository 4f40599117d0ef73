// An aggregate without an initialiser has indeterminate members.
// expect: indeterminate value
struct point { int x, y; };

int main() {
  point p;
  p.x = 1;
  if (p.x < p.y) // here
    return 1;
  return 0;
}
