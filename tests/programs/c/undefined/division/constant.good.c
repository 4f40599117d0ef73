// A division by a constant 0 that is never evaluated.
int main(void) {
  int x = 5;
  if (sizeof(x / 0) != sizeof(int))
    x = x / 0;
  return x != 5;
}
