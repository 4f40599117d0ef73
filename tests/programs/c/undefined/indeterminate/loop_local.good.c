// A variable that is declared outside a loop keeps its value.
int main(void) {
  int x;
  for (int i = 0; i < 2; i++) {
    if (i == 0)
      x = 5;
    if (x != 5)
      return 1;
  }
  return 0;
}
