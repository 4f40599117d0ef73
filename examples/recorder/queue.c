/* Records a bounded queue without locks (by Dmitry Vyukov's scheme: every cell has a turn) on this machine's own cores.

   cc -std=c11 -O2 -pthread -I$(porf --include-dir) examples/recorder/queue.c -o queue && ./queue queue.npz
   porf check queue.npz --model rc11 */
#include <porf.h>
#include <pthread.h>

enum { CELLS = 64, PRODUCERS = 2, CONSUMERS = 2, MESSAGES = 5000 };

static struct {
  _Atomic uint64_t turn;
  uint64_t message;
} cells[CELLS];
static _Atomic uint64_t head, tail, taken;
static porf_recorder* recorder;

static bool push(porf_thread* me, uint64_t message) {
  uint64_t at = porf_load(me, &tail, memory_order_relaxed);
  for (;;) {
    const uint64_t turn = porf_load(me, &cells[at % CELLS].turn, memory_order_acquire);
    if (turn < at) return false; /* it is full */
    if (turn > at) {
      at = porf_load(me, &tail, memory_order_relaxed);
    } else if (porf_compare_exchange(me, &tail, &at, at + 1, memory_order_relaxed)) {
      porf_write(me, &cells[at % CELLS].message, message);
      porf_store(me, &cells[at % CELLS].turn, at + 1, memory_order_release);
      return true;
    }
  }
}

static bool pop(porf_thread* me, uint64_t* message) {
  uint64_t at = porf_load(me, &head, memory_order_relaxed);
  for (;;) {
    const uint64_t turn = porf_load(me, &cells[at % CELLS].turn, memory_order_acquire);
    if (turn < at + 1) return false; /* it is empty */
    if (turn > at + 1) {
      at = porf_load(me, &head, memory_order_relaxed);
    } else if (porf_compare_exchange(me, &head, &at, at + 1, memory_order_relaxed)) {
      *message = porf_read(me, &cells[at % CELLS].message);
      porf_store(me, &cells[at % CELLS].turn, at + CELLS, memory_order_release);
      return true;
    }
  }
}

static void* produce(void* unused) {
  porf_thread* me = porf_start(recorder, NULL);
  for (int sent = 0; sent < MESSAGES; ++sent) {
    const uint64_t message = porf_unique(me); /* no two messages are the same: what is read says who wrote it */
    while (!push(me, message)) sched_yield();
  }
  return unused;
}

static void* consume(void* unused) {
  porf_thread* me = porf_start(recorder, NULL);
  uint64_t message;
  while (atomic_load(&taken) < PRODUCERS * MESSAGES) {
    if (pop(me, &message)) {
      atomic_fetch_add(&taken, 1);
    } else {
      sched_yield();
    }
  }
  return unused;
}

int main(int count, char** arguments) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  recorder = porf_open();
  porf_name(recorder, &head, "head");
  porf_name(recorder, &tail, "tail");
  for (unsigned i = 0; i < CELLS; ++i) {
    char name[32];
    snprintf(name, sizeof name, "turn%u", i);
    porf_name(recorder, &cells[i].turn, name);
    snprintf(name, sizeof name, "message%u", i);
    porf_name(recorder, &cells[i].message, name);
    porf_initial(recorder, &cells[i].turn, i);
    atomic_init(&cells[i].turn, i);
  }
  for (int i = 0; i < PRODUCERS + CONSUMERS; ++i) {
    pthread_create(&threads[i], NULL, i < PRODUCERS ? produce : consume, NULL);
  }
  for (int i = 0; i < PRODUCERS + CONSUMERS; ++i) pthread_join(threads[i], NULL);
  const int failed = porf_save(recorder, count > 1 ? arguments[1] : "queue.npz");
  if (failed) fprintf(stderr, "%s\n", porf_error(recorder));
  porf_close(recorder);
  return failed ? 1 : 0;
}
