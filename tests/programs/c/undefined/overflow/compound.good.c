// A hash is computed with unsigned.
static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s)
    h = h * 33 + (unsigned char)*s++;
  return h;
}

int main(void) {
  return hash("a longer word") == 0;
}
