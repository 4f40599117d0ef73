// The number of bytes is computed as an int.
// expect: signed overflow
static unsigned long bytes(int n, int size) { return (unsigned long)(n * size); } // here

int main(void) {
  return bytes(1 << 20, 1 << 12) == 0;
}
