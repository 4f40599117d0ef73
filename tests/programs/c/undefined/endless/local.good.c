// A loop that ends.
int main(void) {
  int x = 1;
  while (x < 100)
    x = 3 * x;
  return 0;
}
