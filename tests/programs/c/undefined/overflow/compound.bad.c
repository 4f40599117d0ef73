// A hash is computed with int, and overflows.
// expect: signed overflow
static int hash(const char *s) {
  int h = 5381;
  while (*s)
    h = h * 33 + *s++; // here
  return h;
}

int main(void) {
  return hash("a longer word") == 0;
}
