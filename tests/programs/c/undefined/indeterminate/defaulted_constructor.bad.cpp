// A defaulted constructor leaves an int as it is.
// expect: indeterminate value
struct job {
  int id;
  job() = default;
  bool first() const { return id == 0; }
};

int main() {
  job j;
  if (j.first()) // here
    return 1;
  return 0;
}
