// An array on the heap overruns into the next member of its struct.
// expect: index out of bounds
#include <stdlib.h>

struct account { char name[4]; char admin; };

int main(void) {
  struct account *a = calloc(1, sizeof *a);
  const char *from = "evil!";
  for (int i = 0; from[i]; i++)
    a->name[i] = from[i]; // here
  return a->admin == 0;
}
