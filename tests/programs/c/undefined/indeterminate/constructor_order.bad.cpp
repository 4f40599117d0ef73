// Members are initialised in the order of their declaration: the first one reads the second one too early.
// expect: indeterminate value
struct range {
  int length, capacity;
  explicit range(int n) : length(capacity > n ? n : 0), capacity(2 * n) {} // here
};

int main() {
  range r(3);
  return r.capacity != 6;
}
