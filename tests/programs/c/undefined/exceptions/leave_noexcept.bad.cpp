// An exception leaves a function that is noexcept: the program is terminated.
// expect: assertion
static void quiet() noexcept { throw 1; } // here

int main() {
  try {
    quiet();
  } catch (...) {
  }
  return 0;
}
