// An exception that nobody catches ends the program.
// expect: assertion
static int parse(int x) {
  if (x < 0)
    throw 1; // here
  return x;
}

int main() {
  return parse(-1);
}
