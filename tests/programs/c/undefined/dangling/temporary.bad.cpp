// A temporary ends with the full expression that made it.
// expect: use after free
struct box {
  int v;
  const int* get() const { return &v; }
};

static box make(int v) { return box{v}; }

int main() {
  const int* p = make(3).get();
  return *p != 3; // here
}
