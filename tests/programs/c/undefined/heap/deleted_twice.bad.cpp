// A struct with an owning pointer is copied member by member; both copies delete it.
// expect: double free
struct owner {
  int* p;
  explicit owner(int v) : p(new int(v)) {}
  ~owner() { delete p; } // here
};

int main() {
  owner a(1);
  owner b = a;
  return *b.p != 1;
} // here
