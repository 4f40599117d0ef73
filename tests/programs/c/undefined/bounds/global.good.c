// The last element of a global array, and the first of the next.
int a[4], b[4];

static int get(int i) { return i < 4 ? a[i] : b[i - 4]; }

int main(void) {
  return get(3) + get(4);
}
