// A loop without a bound that is left by a return.
int main() {
  unsigned i = 0;
  for (;;) {
    i += 3;
    if (i > 10)
      return 0;
  }
}
