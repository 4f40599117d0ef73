// Two unsigned shorts are promoted to int, and their product does not fit.
// expect: signed overflow
static unsigned product(unsigned short a, unsigned short b) { return a * b; } // here

int main(void) {
  return product(65535, 65535) == 0;
}
