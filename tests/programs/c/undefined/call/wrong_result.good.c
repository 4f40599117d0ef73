// The result of a function is ignored.
#include <assert.h>

static int calls;
static int note(void) { return ++calls; }

typedef int (*question)(void);

static int ask(question q) { return q(); }

int main(void) {
  ask(note);
  assert(ask(note) == 2);
  return 0;
}
