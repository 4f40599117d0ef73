// A flag is tested in a word of which only other flags were set.
// expect: indeterminate value
int main(void) {
  unsigned flags;
  flags |= 4;
  if (flags & 2) // here
    return 1;
  return 0;
}
