// A pointer one past the end of an array, without any access.
int a[4];

int main(int argc, char **argv) {
  int n = argc > 5 ? 3 : 4;
  int *end = a + n;
  return end == a;
}
