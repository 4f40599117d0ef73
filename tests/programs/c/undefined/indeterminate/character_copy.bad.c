// A value that was never set is copied as characters, and then used.
// expect: indeterminate value
int main(void) {
  int a[2], b[2];
  a[0] = 1;
  unsigned char *from = (unsigned char *)a, *to = (unsigned char *)b;
  for (unsigned i = 0; i < sizeof a; i++)
    to[i] = from[i];
  if (b[1] == 3) // here
    return 1;
  return 0;
}
