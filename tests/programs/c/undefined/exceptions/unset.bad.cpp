// What an exception left unset is used by the handler's continuation.
// expect: indeterminate value
static void load(int& out, bool fail) {
  if (fail)
    throw 1;
  out = 5;
}

int main() {
  int x;
  try {
    load(x, true);
  } catch (...) {
  }
  if (x == 5) // here
    return 1;
  return 0;
}
