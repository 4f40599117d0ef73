// An array of variable length has the length 1.
static int f(int n) {
  int a[n];
  return sizeof a;
}

int main(void) {
  return f(1) != sizeof(int);
}
