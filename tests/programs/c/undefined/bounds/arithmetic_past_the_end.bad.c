// A pointer two past the end of an array, without any access.
// expect: index out of bounds
int a[4];

int main(int argc, char **argv) {
  int n = argc > 5 ? 4 : 5;
  int *end = a + n; // here
  return end == a;
}
