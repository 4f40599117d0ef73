// A division by a variable that is 0.
// expect: invalid division
static int mean(int sum, int n) { return sum / n; } // here

int main(void) {
  return mean(3, 0);
}
