// += overflows.
// expect: signed overflow
#include <limits.h>

int main(int argc, char **argv) {
  int total = INT_MAX - 5;
  int step[3] = {2, 3, 4};
  for (int i = 0; i < 3; i++)
    total += step[i]; // here
  return total == 0;
}
