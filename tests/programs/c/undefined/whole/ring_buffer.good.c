// A single-producer single-consumer ring buffer of variable-size records in a byte array, with
// wrap-around and padding records.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SIZE 32u
#define ALIGN 4u

struct header { uint16_t length; uint16_t kind; };
enum { PAD, DATA };

static struct {
  _Alignas(8) unsigned char bytes[SIZE];
  _Atomic uint32_t head;
  char space[60];
  _Atomic uint32_t tail;
} ring;

static uint32_t padded(uint32_t n) { return (n + ALIGN - 1) & ~(ALIGN - 1); }

static bool put(const void *data, uint16_t length) {
  uint32_t head = atomic_load_explicit(&ring.head, memory_order_relaxed);
  uint32_t tail = atomic_load_explicit(&ring.tail, memory_order_acquire);
  uint32_t need = padded(sizeof(struct header) + length), at = head % SIZE;
  struct header h = {length, DATA};
  if (at + need > SIZE) {
    uint32_t skipped = SIZE - at;
    if (head + skipped + need - tail > SIZE)
      return false;
    struct header pad = {(uint16_t)(skipped - sizeof pad), PAD};
    memcpy(ring.bytes + at, &pad, sizeof pad);
    head += skipped;
    at = 0;
  }
  if (head + need - tail > SIZE)
    return false;
  memcpy(ring.bytes + at, &h, sizeof h);
  memcpy(ring.bytes + at + sizeof h, data, length);
  atomic_store_explicit(&ring.head, head + need, memory_order_release);
  return true;
}

static bool get(void *data, uint16_t *length) {
  uint32_t tail = atomic_load_explicit(&ring.tail, memory_order_relaxed);
  uint32_t head = atomic_load_explicit(&ring.head, memory_order_acquire);
  while (tail != head) {
    struct header h;
    uint32_t at = tail % SIZE;
    memcpy(&h, ring.bytes + at, sizeof h);
    tail += padded(sizeof h + h.length);
    if (h.kind == DATA) {
      memcpy(data, ring.bytes + at + sizeof h, h.length);
      *length = h.length;
      atomic_store_explicit(&ring.tail, tail, memory_order_release);
      return true;
    }
  }
  return false;
}

struct point { int16_t x, y; char name; };

static void *producer(void *unused) {
  struct point p = {3, -4, 'p'};
  bool ok = put(&p, sizeof p);
  assert(ok);
  ok = put("ab", 3);
  assert(ok);
  return NULL;
}

int main(void) {
  uint16_t length;
  // Some turns to begin near the end of the buffer.
  for (int i = 0; i < 3; i++) {
    char text[8];
    bool ok = put("hello", 6);
    assert(ok);
    ok = get(text, &length);
    assert(ok && length == 6 && strcmp(text, "hello") == 0);
  }
  pthread_t t;
  pthread_create(&t, NULL, producer, NULL);
  struct point p;
  if (get(&p, &length))
    assert(length == sizeof p && p.x + p.y == -1 && p.name == 'p');
  else
    length = 0;
  pthread_join(t, NULL);
  if (!length) {
    bool ok = get(&p, &length);
    assert(ok && p.x == 3);
  }
  char text[8];
  bool ok = get(text, &length);
  assert(ok && length == 3 && text[1] == 'b' && !get(text, &length));
  return 0;
}
