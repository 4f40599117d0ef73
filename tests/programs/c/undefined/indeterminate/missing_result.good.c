// In C a function may end without a return statement, if nobody uses its result.
static int count;

static int sign(int x) {
  count++;
  if (x > 0)
    return 1;
}

int main(void) {
  sign(0);
  return sign(1) != 1 || count != 2;
}
