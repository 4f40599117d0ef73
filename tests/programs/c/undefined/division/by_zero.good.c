// 0 divided by something.
static int mean(int sum, int n) { return n ? sum / n : 0; }

int main(void) {
  return mean(3, 0) + mean(0, 3);
}
