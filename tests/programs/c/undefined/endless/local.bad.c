// A loop on a plain variable that nobody may change.
// expect: endless loop
int main(void) {
  int x = 1;
  while (x > 0) // here
    x = 3 - x; // here
  return 0;
}
