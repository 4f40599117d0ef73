// The zero at the end of a string literal.
static char at(const char *s, int i) { return s[i]; }

int main(void) {
  return at("abc", 3);
}
