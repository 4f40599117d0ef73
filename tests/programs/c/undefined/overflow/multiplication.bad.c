// A product of two ints that does not fit.
// expect: signed overflow
static long area(int w, int h) { return w * h; } // here

int main(void) {
  return area(65536, 65536) == 0;
}
