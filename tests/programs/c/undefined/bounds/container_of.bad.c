// The struct around a member is computed for a member that is in none.
// expect: out of bounds
#include <stddef.h>

struct link { struct link *next; };
struct job { int id; struct link link; };

#define JOB(l) ((struct job *)((char *)(l) - offsetof(struct job, link)))

int main(void) {
  struct link head = {0};
  return JOB(&head)->id; // here
}
