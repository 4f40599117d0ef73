// A do-while loop that ends by a variable that no path has set.
// expect: indeterminate value
int main(void) {
  int done, i = 0;
  do {
    i++;
    if (i > 5)
      done = 1;
  } while (!done && i < 9); // here
  return 0;
}
