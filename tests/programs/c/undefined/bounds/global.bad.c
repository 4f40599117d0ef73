// A read past the end of a global array, into the one that follows it.
// expect: index out of bounds
int a[4], b[4];

static int get(int i) { return a[i]; } // here

int main(void) {
  return get(4);
}
