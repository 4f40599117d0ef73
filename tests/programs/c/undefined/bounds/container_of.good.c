// The struct around a member.
#include <assert.h>
#include <stddef.h>

struct link { struct link *next; };
struct job { int id; struct link link; };

#define JOB(l) ((struct job *)((char *)(l) - offsetof(struct job, link)))

int main(void) {
  struct job j = {7, {0}};
  struct link *l = &j.link;
  assert(JOB(l)->id == 7);
  return 0;
}
