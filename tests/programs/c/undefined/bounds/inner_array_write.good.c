// An array within a struct is filled as far as there is room.
#include <assert.h>
#include <stdlib.h>

struct account { char name[4]; char admin; };

int main(void) {
  struct account *a = calloc(1, sizeof *a);
  const char *from = "evil!";
  for (int i = 0; from[i] && i < 4; i++)
    a->name[i] = from[i];
  assert(a->admin == 0);
  free(a);
  return 0;
}
