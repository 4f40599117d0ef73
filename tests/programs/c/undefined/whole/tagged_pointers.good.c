// Tagged pointers: a lock-free set of marked links, small integers in pointers, a tagged
// union, and XOR-free bit tricks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// A value is a small integer (lowest bit set) or a pointer to a cell.
typedef uintptr_t value;
struct cell { value car, cdr; };

static value number(intptr_t n) { return (uintptr_t)n << 1 | 1; }
static bool is_number(value v) { return v & 1; }
static intptr_t number_of(value v) { return (intptr_t)v >> 1; }
static struct cell *cell_of(value v) { return (struct cell *)v; }
static const value nil = 0;

static value cons(value car, value cdr) {
  struct cell *c = malloc(sizeof *c);
  *c = (struct cell){car, cdr};
  return (value)c;
}

static intptr_t total(value v) {
  if (v == nil)
    return 0;
  if (is_number(v))
    return number_of(v);
  return total(cell_of(v)->car) + total(cell_of(v)->cdr);
}

static void release(value v) {
  if (v == nil || is_number(v))
    return;
  struct cell *c = cell_of(v);
  release(c->car);
  release(c->cdr);
  free(c);
}

// Harris's list: the lowest bit of a link marks its node as deleted.
struct node { int key; _Atomic(struct node *) next; };

static bool marked(struct node *p) { return (uintptr_t)p & 1; }
static struct node *with_mark(struct node *p) { return (struct node *)((uintptr_t)p | 1); }
static struct node *clean(struct node *p) { return (struct node *)((uintptr_t)p & ~(uintptr_t)1); }

static struct node head = {INT32_MIN}, tail = {INT32_MAX};

static struct node *find(int key, struct node **before) {
retry:
  *before = &head;
  struct node *n = clean(atomic_load(&head.next));
  while (n->key < key) {
    struct node *next = atomic_load(&n->next);
    if (marked(next)) {
      struct node *expected = n;
      if (!atomic_compare_exchange_strong(&(*before)->next, &expected, clean(next)))
        goto retry;
      n = clean(next);
      continue;
    }
    *before = n;
    n = clean(next);
  }
  return n;
}

static bool insert(struct node *made) {
  for (;;) {
    struct node *before, *n = find(made->key, &before);
    if (n->key == made->key)
      return false;
    atomic_store_explicit(&made->next, n, memory_order_relaxed);
    if (atomic_compare_exchange_strong(&before->next, &n, made))
      return true;
  }
}

static bool delete(int key) {
  struct node *before, *n = find(key, &before);
  if (n->key != key)
    return false;
  struct node *next = atomic_load(&n->next);
  while (!marked(next))
    if (atomic_compare_exchange_strong(&n->next, &next, with_mark(next)))
      return true;
  return false;
}

static struct node one = {1}, two = {2};

static void *inserter(void *unused) {
  bool done = insert(&two);
  assert(done);
  return NULL;
}

// A tagged union, copied as a whole.
struct shape {
  enum { CIRCLE, BOX } tag;
  union {
    struct { int radius; } circle;
    struct { short width, height; } box;
  };
};

static int extent(struct shape s) {
  switch (s.tag) {
  case CIRCLE: return 2 * s.circle.radius;
  case BOX: return s.box.width > s.box.height ? s.box.width : s.box.height;
  }
  return -1;
}

// Bit tricks on unsigned numbers.
static unsigned next_power(unsigned x) {
  x--;
  for (unsigned s = 1; s < 32; s *= 2)
    x |= x >> s;
  return x + 1;
}

static uint32_t rotate(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
static uint32_t lowest(uint32_t x) { return x & -x; }

int main(void) {
  value list = cons(number(5), cons(number(-7), cons(cons(number(40), nil), nil)));
  assert(total(list) == 38);
  release(list);
  assert(number_of(number(INTPTR_MIN / 2)) == INTPTR_MIN / 2);

  atomic_init(&head.next, &tail);
  pthread_t t;
  bool first = insert(&one);
  assert(first);
  pthread_create(&t, NULL, inserter, NULL);
  bool gone = delete(1);
  pthread_join(t, NULL);
  struct node *before, *n = find(2, &before);
  assert(gone && n == &two && before->key < 2);

  struct shape s = {.tag = BOX, .box = {3, 9}}, u;
  u = s;
  assert(extent(u) == 9);
  u.tag = CIRCLE;
  u.circle.radius = 8;
  s = u;
  assert(extent(s) == 16);

  assert(next_power(17) == 32 && next_power(32) == 32 && next_power(1) == 1);
  assert(rotate(0x80000001u, 1) == 3 && rotate(5, 0) == 5 && rotate(5, 32) == 5);
  assert(lowest(40) == 8 && lowest(0) == 0 && (uint32_t)-1 == UINT32_MAX);
  return 0;
}
