// A loop that counts down leaves its pointer before the beginning of the array.
// expect: pointer out of bounds
int a[3] = {1, 2, 3};

int main(void) {
  int s = 0;
  for (int *p = a + 2; p >= a; p--) // here
    s += *p;
  return s != 6;
}
