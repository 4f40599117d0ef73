// A shift by exactly the width of the type.
// expect: invalid shift
static unsigned mask(unsigned bits) { return 0xffffffffu >> (32 - bits); } // here

int main(void) {
  return mask(0) == 7;
}
