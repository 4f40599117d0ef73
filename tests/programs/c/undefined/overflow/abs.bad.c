// abs(INT_MIN).
// expect: signed overflow
#include <limits.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int x = argc > 5 ? 1 : INT_MIN;
  return abs(x) == 0; // here
}
