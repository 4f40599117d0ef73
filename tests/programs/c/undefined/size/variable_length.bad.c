// An array of variable length has the length 0.
// expect: invalid array size
static int f(int n) {
  int a[n]; // here
  return sizeof a;
}

int main(void) {
  return f(0);
}
