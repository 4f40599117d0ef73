// executions: sc 1, rc11 1
// Addresses of functions, of the program and of the library: in initialisers, tables, structures, arguments, on the
// heap, as void*, as numbers, compared, and called.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int (*binary)(int, int);
typedef void (*callback)(void *, void *);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int pick(binary f, int a, int b) { return f(a, b); }
static binary chosen(int n) { return n ? sub : add; }
static void count(void *node, void *argument) { *(int *)argument += *(int *)node; }

static binary const table[] = {add, sub, 0};
static binary variable = sub;
static void *untyped = (void *)add;
static struct operation {
  const char *name;
  binary run;
  struct { callback done; void *argument; } then;
} operations[2] = {{"add", add, {count, 0}}, {.name = "sub", .run = sub}};
static _Atomic(binary) published;
struct { void *(*get)(size_t); void (*give)(void *); int (*compare)(const char *, const char *); } library = {
    malloc, free, strcmp};

static void *client(void *argument) {
  struct operation *o = argument;
  return (void *)(intptr_t)o->run(5, 2);
}

int main(void) {
  assert(table[0](2, 1) == 3 && table[1](2, 1) == 1 && !table[2] && table[0] != table[1]);
  assert(variable == sub && variable(2, 1) == 1);
  assert(untyped == (void *)add && ((binary)untyped)(2, 1) == 3);
  assert(pick(add, 2, 1) == 3 && pick(&sub, 2, 1) == 1 && pick(*chosen(1), 2, 1) == 1);
  assert(operations[0].run(2, 1) == 3 && operations[1].run(2, 1) == 1 && operations[0].then.done == count);

  uintptr_t number = (uintptr_t)add;
  assert(number && number != (uintptr_t)sub && ((binary)(number | 1 & ~(uintptr_t)1))(2, 1) == 3);

  struct operation *copy = malloc(sizeof *copy);
  *copy = operations[0];
  int sum = 1, node = 2;
  copy->then.done(&node, &sum);
  assert(sum == 3);
  binary many[2];
  memcpy(many, table, sizeof many);
  assert(many[1](2, 1) == 1);

  atomic_store(&published, sub);
  assert(atomic_load(&published)(2, 1) == 1);

  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, client, &operations[1]);
  pthread_join(thread, &result);
  assert((intptr_t)result == 3);

  int *heap = library.get(sizeof *heap);
  *heap = 4;
  library.give(heap);
  library.give(copy);
  assert(library.give == free && library.compare("a", "a") == 0 && library.compare("a", "b") < 0);
  return 0;
}
