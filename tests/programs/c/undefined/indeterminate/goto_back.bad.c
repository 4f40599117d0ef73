// After a jump back before its declaration, a variable without an initialiser is indeterminate again.
// expect: indeterminate value
int main(void) {
  int round = 0;
again: {
    int x;
    if (round == 1 && x == 1) // here
      return 0;
    x = 1;
    round++;
  }
  if (round < 2)
    goto again;
  return 0;
}
