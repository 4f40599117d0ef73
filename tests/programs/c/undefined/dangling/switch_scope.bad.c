// The variable of a case's block is used after the switch.
// expect: use after free
static int pick(int which) {
  const int *p = 0;
  switch (which) {
  case 1: {
    int one = 10;
    p = &one;
    break;
  }
  default:
    break;
  }
  return p ? *p : 0; // here
}

int main(void) {
  return pick(1) == 7;
}
