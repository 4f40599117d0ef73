// An array of pointers collects the addresses of one variable after the other.
// expect: use after free
int main(void) {
  int *kept[3], sum = 0;
  for (int i = 0; i < 3; i++) {
    int square = i * i;
    kept[i] = &square;
  }
  for (int i = 0; i < 3; i++)
    sum += *kept[i]; // here
  return sum > 100;
}
