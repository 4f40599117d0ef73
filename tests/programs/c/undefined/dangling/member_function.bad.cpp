// A function returns a pointer to a member of a local object.
// expect: use after free
struct pair {
  int first, second;
  int* larger() { return first < second ? &second : &first; }
};

static int* best() {
  pair p{3, 4};
  return p.larger();
}

int main() {
  return *best() == 7; // here
}
