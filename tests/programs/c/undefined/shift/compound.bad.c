// A mask is shifted in a loop once too often.
// expect: invalid shift
int main(void) {
  unsigned long mask = 0;
  for (int i = 60; i <= 64; i++)
    mask |= 1ul << i; // here
  return mask == 0;
}
