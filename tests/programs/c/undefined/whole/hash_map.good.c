// An open-addressing hash map with string keys in an arena, tombstones, growth, and FNV
// hashing; then the same map behind a lock.
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena { unsigned char *base; size_t used, size; };

static void *arena_alloc(struct arena *a, size_t n, size_t align) {
  size_t at = (a->used + align - 1) & ~(align - 1);
  if (at + n > a->size)
    return NULL;
  a->used = at + n;
  return a->base + at;
}

static char *arena_copy(struct arena *a, const char *s) {
  size_t n = strlen(s) + 1;
  char *p = arena_alloc(a, n, 1);
  return p ? memcpy(p, s, n) : NULL;
}

enum slot_state { EMPTY, TAKEN, DEAD };

struct slot { enum slot_state state; uint32_t hash; const char *key; long value; };

struct map { struct slot *slots; unsigned capacity, used, alive; struct arena *arena; };

static uint32_t hash_of(const char *s) {
  uint32_t h = 2166136261u;
  for (; *s; s++) {
    h ^= (unsigned char)*s;
    h *= 16777619u;
  }
  return h;
}

static struct slot *probe(const struct map *m, uint32_t hash, const char *key) {
  unsigned mask = m->capacity - 1, i = hash & mask;
  struct slot *dead = NULL;
  for (unsigned step = 0; step < m->capacity; step++, i = (i + 1) & mask) {
    struct slot *s = &m->slots[i];
    if (s->state == EMPTY)
      return dead ? dead : s;
    if (s->state == DEAD) {
      if (!dead)
        dead = s;
    } else if (s->hash == hash && strcmp(s->key, key) == 0) {
      return s;
    }
  }
  return dead;
}

static bool map_init(struct map *m, struct arena *a, unsigned capacity) {
  m->slots = malloc(capacity * sizeof *m->slots);
  for (unsigned i = 0; i < capacity; i++)
    m->slots[i].state = EMPTY; // the other members stay unset until the slot is taken
  m->capacity = capacity;
  m->used = m->alive = 0;
  m->arena = a;
  return m->slots != NULL;
}

static void map_put(struct map *m, const char *key, long value);

static void map_grow(struct map *m) {
  struct map bigger;
  map_init(&bigger, m->arena, m->capacity * 2);
  for (struct slot *s = m->slots; s < m->slots + m->capacity; s++)
    if (s->state == TAKEN) {
      *probe(&bigger, s->hash, s->key) = *s;
      bigger.used++;
      bigger.alive++;
    }
  free(m->slots);
  *m = bigger;
}

static void map_put(struct map *m, const char *key, long value) {
  if ((m->used + 1) * 4 > m->capacity * 3)
    map_grow(m);
  uint32_t hash = hash_of(key);
  struct slot *s = probe(m, hash, key);
  if (s->state != TAKEN) {
    m->used += s->state == EMPTY;
    m->alive++;
    *s = (struct slot){TAKEN, hash, arena_copy(m->arena, key), value};
  } else {
    s->value = value;
  }
}

static long *map_get(const struct map *m, const char *key) {
  struct slot *s = probe(m, hash_of(key), key);
  return s && s->state == TAKEN ? &s->value : NULL;
}

static bool map_remove(struct map *m, const char *key) {
  struct slot *s = probe(m, hash_of(key), key);
  if (!s || s->state != TAKEN)
    return false;
  s->state = DEAD;
  s->key = NULL;
  m->alive--;
  return true;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map shared;

static void *count_words(void *arg) {
  char words[32], *rest = words;
  strcpy(words, arg);
  while (*rest) {
    char *end = strchr(rest, ' ');
    if (end)
      *end = '\0';
    pthread_mutex_lock(&lock);
    long *n = map_get(&shared, rest);
    if (n)
      ++*n;
    else
      map_put(&shared, rest, 1);
    pthread_mutex_unlock(&lock);
    rest = end ? end + 1 : rest + strlen(rest);
  }
  return NULL;
}

int main(void) {
  static alignas(16) unsigned char memory[128];
  struct arena a = {memory, 0, sizeof memory};
  assert(arena_alloc(&a, 3, 1) == memory && arena_alloc(&a, 8, 8) == memory + 8);

  struct map m;
  map_init(&m, &a, 4);
  char key[8];
  for (int i = 0; i < 5; i++) {
    snprintf(key, sizeof key, "k%d", i);
    map_put(&m, key, i * i);
  }
  assert(m.capacity == 8 && m.alive == 5);
  assert(map_remove(&m, "k2") && !map_remove(&m, "k2") && !map_get(&m, "k2"));
  assert(*map_get(&m, "k4") == 16 && *map_get(&m, "k0") == 0);
  map_put(&m, "k2", -4);
  assert(*map_get(&m, "k2") == -4 && m.alive == 5);
  free(m.slots);

  map_init(&shared, &a, 8);
  pthread_t t;
  pthread_create(&t, NULL, count_words, "a b");
  count_words("b a");
  pthread_join(t, NULL);
  assert(*map_get(&shared, "a") == 2 && *map_get(&shared, "b") == 2);
  free(shared.slots);
  return 0;
}
