// Members that an initialiser does not name are 0.
#include <assert.h>

struct options { int verbose, jobs, colour; };

int main(void) {
  struct options o = {.colour = 1};
  assert(o.jobs == 0 && o.verbose == 0 && o.colour == 1);
  int rest[4] = {7};
  assert(rest[3] == 0);
  return 0;
}
