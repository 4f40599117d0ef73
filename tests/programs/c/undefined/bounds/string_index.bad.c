// A character after the end of a string literal.
// expect: out of bounds
static char at(const char *s, int i) { return s[i]; } // here

int main(void) {
  return at("abc", 4);
}
