// A protocol's state machine with function pointers, bit-fields, enums as indices, a timer
// wheel, and events from a thread.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum state { CLOSED, OPENING, OPEN, CLOSING, STATES };
enum event { E_OPEN, E_ACK, E_DATA, E_CLOSE, E_TIMEOUT, EVENTS };

struct connection;
typedef enum state (*handler)(struct connection *, uint32_t);

struct connection {
  enum state state;
  struct {
    unsigned retries : 3;
    unsigned window : 10;
    signed balance : 6;
    bool urgent : 1;
  } flags;
  uint32_t sequence;
  union {
    uint32_t word;
    unsigned char byte[4];
  } last;
  char log[24];
  unsigned logged;
};

static void note(struct connection *c, char letter) {
  if (c->logged + 1 < sizeof c->log) {
    c->log[c->logged++] = letter;
    c->log[c->logged] = '\0';
  }
}

static enum state ignore(struct connection *c, uint32_t x) {
  (void)x;
  note(c, '-');
  return c->state;
}

static enum state start(struct connection *c, uint32_t x) {
  c->sequence = x;
  c->flags.retries = 0;
  c->flags.window = 1023;
  c->flags.balance = -32;
  note(c, 'o');
  return OPENING;
}

static enum state acknowledged(struct connection *c, uint32_t x) {
  c->flags.urgent = x != c->sequence + 1;
  note(c, 'a');
  return c->state == OPENING ? OPEN : CLOSED;
}

static enum state data(struct connection *c, uint32_t x) {
  c->last.word = x;
  c->flags.window -= 2;
  c->flags.balance += 3;
  c->sequence++;
  note(c, 'd');
  return OPEN;
}

static enum state stop(struct connection *c, uint32_t x) {
  (void)x;
  note(c, 'c');
  return c->state == CLOSED ? CLOSED : CLOSING;
}

static enum state again(struct connection *c, uint32_t x) {
  note(c, 't');
  if (++c->flags.retries == 0 || x == 0) // three bits wrap around
    return CLOSED;
  return c->state;
}

static const handler table[STATES][EVENTS] = {
    [CLOSED] = {[E_OPEN] = start},
    [OPENING] = {[E_ACK] = acknowledged, [E_TIMEOUT] = again, [E_CLOSE] = stop},
    [OPEN] = {[E_DATA] = data, [E_CLOSE] = stop},
    [CLOSING] = {[E_ACK] = acknowledged, [E_TIMEOUT] = again},
};

static void handle(struct connection *c, enum event e, uint32_t x) {
  handler h = table[c->state][e];
  c->state = (h ? h : ignore)(c, x);
}

static struct { _Atomic(uint64_t) slot[4]; atomic_uint head; } inbox;

static void *network(void *unused) {
  static const uint64_t sent[] = {E_OPEN | 0xffffffffull << 8, E_ACK | 0ull << 8, E_DATA | 0x01020304ull << 8};
  for (unsigned i = 0; i < sizeof sent / sizeof *sent; i++) {
    atomic_store_explicit(&inbox.slot[i], sent[i], memory_order_relaxed);
    atomic_store_explicit(&inbox.head, i + 1, memory_order_release);
  }
  return unused;
}

int main(void) {
  struct connection c;
  memset(&c, 0, sizeof c);
  pthread_t t;
  pthread_create(&t, NULL, network, NULL);
  unsigned done = 0, seen = atomic_load_explicit(&inbox.head, memory_order_acquire);
  for (int round = 0; round < 2; round++) {
    for (; done < seen; done++) {
      uint64_t m = atomic_load_explicit(&inbox.slot[done], memory_order_relaxed);
      handle(&c, (enum event)(m & 0xff), (uint32_t)(m >> 8));
    }
    if (round == 0)
      pthread_join(t, NULL);
    seen = atomic_load_explicit(&inbox.head, memory_order_relaxed);
  }
  assert(c.state == OPEN && strcmp(c.log, "oad") == 0);
  assert(c.sequence == 0 && !c.flags.urgent && c.flags.window == 1021 && c.flags.balance == -29);
  assert(c.last.byte[0] == 4 && c.last.byte[3] == 1);
  handle(&c, E_OPEN, 0);
  handle(&c, E_CLOSE, 0);
  for (int i = 0; i < 8; i++)
    handle(&c, E_TIMEOUT, 1);
  assert(c.state == CLOSED && c.flags.retries == 0);
  char line[40];
  int n = snprintf(line, sizeof line, "%s:%u:%d", c.log, (unsigned)c.flags.window, (int)c.flags.balance);
  assert(n == (int)strlen(line) && strcmp(line, "oad-ctttttttt:1021:-29") == 0);
  return 0;
}
