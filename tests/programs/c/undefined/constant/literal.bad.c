// A string literal is modified.
// expect: write to a constant
int main(void) {
  char *s = "hello";
  s[0] = 'j'; // here
  return 0;
}
