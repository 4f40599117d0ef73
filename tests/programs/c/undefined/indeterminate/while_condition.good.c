// A do-while loop whose body sets what its condition reads.
int main(void) {
  int done, i = 0;
  do {
    i++;
    done = i > 5;
  } while (!done && i < 9);
  return i != 6;
}
