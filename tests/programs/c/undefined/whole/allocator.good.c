// A free-list allocator in a static pool with headers, splitting and merging, alignment, and
// objects of different types in it.
#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct block { size_t size; struct block *next; }; // size of what follows; next is used in free blocks only

#define POOL 256
static alignas(max_align_t) unsigned char pool[POOL];
static struct block *free_list;

static size_t rounded(size_t n) { return (n + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t); }

static void pool_init(void) {
  free_list = (struct block *)(void *)pool;
  free_list->size = POOL - sizeof(struct block);
  free_list->next = NULL;
}

static void *pool_take(size_t n) {
  n = rounded(n);
  for (struct block **at = &free_list; *at; at = &(*at)->next) {
    struct block *b = *at;
    if (b->size < n)
      continue;
    if (b->size >= n + sizeof(struct block) + alignof(max_align_t)) {
      struct block *rest = (struct block *)((unsigned char *)(b + 1) + n);
      rest->size = b->size - n - sizeof(struct block);
      rest->next = b->next;
      b->size = n;
      *at = rest;
    } else {
      *at = b->next;
    }
    return b + 1;
  }
  return NULL;
}

static void merge(struct block *b) {
  struct block *after = (struct block *)((unsigned char *)(b + 1) + b->size);
  if (b->next == after) {
    b->size += sizeof *after + after->size;
    b->next = after->next;
  }
}

static void pool_give(void *p) {
  if (!p)
    return;
  struct block *b = (struct block *)p - 1, **at = &free_list, *before = NULL;
  while (*at && *at < b) {
    before = *at;
    at = &(*at)->next;
  }
  b->next = *at;
  *at = b;
  merge(b);
  if (before)
    merge(before);
}

struct person { char name[6]; short age; struct person *friend; };

static size_t free_bytes(void) {
  size_t n = 0;
  for (const struct block *b = free_list; b; b = b->next)
    n += b->size;
  return n;
}

int main(void) {
  pool_init();
  size_t all = free_bytes();
  long *numbers = pool_take(3 * sizeof *numbers);
  struct person *ann = pool_take(sizeof *ann), *bob = pool_take(sizeof *bob);
  assert(numbers && ann && bob && (uintptr_t)ann % alignof(struct person) == 0);
  for (int i = 0; i < 3; i++)
    numbers[i] = (long)i << 40;
  *ann = (struct person){"Ann", 30, bob};
  memset(bob, 0, sizeof *bob);
  strcpy(bob->name, "Bob");
  bob->friend = ann;
  assert(strcmp(ann->friend->friend->name, "Ann") == 0 && numbers[2] == 2199023255552);
  pool_give(ann);
  double *d = pool_take(sizeof *d);
  char *text = pool_take(8);
  strcpy(text, "shared");
  assert((void *)d == (void *)ann && text[6] == 0 && bob->age == 0);
  pool_give(text);
  pool_give(numbers);
  pool_give(d);
  pool_give(bob);
  pool_give(NULL);
  assert(free_bytes() == all && free_list->next == NULL);
  assert(!pool_take(POOL) && pool_take(all) == (void *)((struct block *)(void *)pool + 1));
  return 0;
}
