// The harness that runs a litmus test on this machine's cores. It comes after generated code, which defines:
//
//   THREADS, WATCHED         how many threads the test has, and how many values a final state
//   BYTES_SPREAD, _PACKED    of one instance of the test's memory, by layout
//   code_0, code_1, ...      what a thread does in one instance: 0, or the outcome that the run has instead of a state
//   threads[]                all of them, for each layout
//   fill, look               sets an instance's memory to its initial values; reads what is final there
//
// A round is a batch of instances. Threads start it together, run all instances in one order, and meet again; then each
// counts the final states of a part. Arguments: runs (0: any number), seconds (0: any), layouts (1 spread, 2 packed, 3
// both), seed. Output: `runs N` now and then, and in the end `state OUTCOME COUNT VALUE...` for each final state.

enum { MOST_INSTANCES = 4096, LEAST_INSTANCES = 16, LINE = 128, TURNS = 200000 };
static const double LONG_ROUND = 0.02, NEWS = 0.1;  // seconds

typedef struct {
  int64_t count, outcome;
  int64_t values[WATCHED + 1];
} state;

typedef struct {
  state *states;
  size_t used, room;
} table;

typedef struct {
  _Alignas(LINE) _Atomic int arrived;
  _Alignas(LINE) _Atomic int generation;
} barrier;

static struct {
  char *memory;
  int64_t *values;                        // of each instance, WATCHED
  int64_t *outcomes;                      // of each instance, one of each thread
  _Atomic int *here;                      // how many threads are at an instance, in rounds that keep step
  int64_t runs;                           // that are wanted; 0: any number
  double started, deadline;
  uint64_t seed;
  int layouts, cores, in_step;            // in_step: there is a core for each thread
  int processors[1024];
  // The round that runs now:
  int instances, packed, keeps_step, ends;
  uint64_t delay;                         // the longest, before a thread begins
  unsigned first, step;
  int64_t done;
  double told;
  table counts[THREADS];
  barrier before, after, counted;
} all;

static _Atomic int stopped;  // the time is up, or somebody wants no more

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void breathe(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Waiting for another thread, which may need this core.
static inline void wait_turn(int turn) {
  if (!all.in_step || turn > 1000) sched_yield();
  else breathe();
}

// An iteration of a loop ends, or a lock is taken: whether the thread gives up, and why.
static __attribute__((unused)) int64_t again(int64_t *turns) {
  ++*turns;
  if (*turns % 64 == 0) {
    if (all.deadline > 0 && now() > all.deadline) atomic_store(&stopped, 1);
    if (atomic_load(&stopped)) return ABANDONED;
  }
  if (*turns > TURNS) return CUT;
  wait_turn((int)(*turns > 1000 ? 1001 : *turns));
  return FINE;
}

static void meet(barrier *b) {
  int generation = atomic_load(&b->generation);
  if (atomic_fetch_add(&b->arrived, 1) + 1 == THREADS) {
    atomic_store(&b->arrived, 0);
    atomic_store(&b->generation, generation + 1);
    return;
  }
  for (int turn = 0; atomic_load(&b->generation) == generation; ++turn) wait_turn(turn);
}

static uint64_t next_random(uint64_t *x) {
  *x ^= *x << 13;
  *x ^= *x >> 7;
  *x ^= *x << 17;
  return *x;
}

static void *got(void *memory) {
  if (memory == NULL) {
    fputs("out of memory\n", stderr);
    exit(70);
  }
  return memory;
}

static state *slot(table *t, int64_t outcome, const int64_t *values) {
  uint64_t hash = (uint64_t)outcome * 0x9e3779b97f4a7c15u;
  for (int n = 0; n < WATCHED; ++n) hash = (hash ^ (uint64_t)values[n]) * 0xff51afd7ed558ccdu, hash ^= hash >> 32;
  for (size_t at = hash & (t->room - 1);; at = (at + 1) & (t->room - 1)) {
    state *s = &t->states[at];
    if (s->count == 0) return s;
    if (s->outcome == outcome && memcmp(s->values, values, WATCHED * sizeof *values) == 0) return s;
  }
}

static void add(table *t, int64_t outcome, const int64_t *values, int64_t count) {
  if (2 * t->used >= t->room) {
    table larger = {NULL, 0, t->room ? 2 * t->room : 64};
    larger.states = got(calloc(larger.room, sizeof(state)));
    for (size_t n = 0; n < t->room; ++n)
      if (t->states[n].count) add(&larger, t->states[n].outcome, t->states[n].values, t->states[n].count);
    free(t->states);
    *t = larger;
  }
  state *s = slot(t, outcome, values);
  if (s->count == 0) {
    ++t->used;
    s->outcome = outcome;
    if (WATCHED) memcpy(s->values, values, WATCHED * sizeof *values);
  }
  s->count += count;
}

static inline char *instance(int n) { return all.memory + (size_t)n * (all.packed ? BYTES_PACKED : BYTES_SPREAD); }

// One thread decides what comes next, also that nothing does: the others would not see `stopped` at the same time.
static void plan_round(int64_t round, uint64_t *random) {
  all.ends = round > 0 && atomic_load(&stopped);
  all.packed = all.layouts == 2 || (all.layouts == 3 && (round & 1));
  all.keeps_step = all.in_step && (round & 2) == 0;
  all.first = (unsigned)next_random(random);
  all.step = (unsigned)next_random(random) | 1;  // odd, so that every instance has its turn: there are a power of 2
  if (round % 3 == 0) all.step = 1;
  static const uint64_t delays[] = {0, 7, 63, 15, 255};
  all.delay = delays[round % 5];
}

static void run_round(int me, uint64_t *random) {
  unsigned mask = (unsigned)all.instances - 1;
  int64_t (*code)(char *, int64_t *) = threads[me][all.packed];
  for (unsigned n = 0; n <= mask; ++n) {
    int at = (int)((all.first + n * all.step) & mask);
    if (all.keeps_step) {
      atomic_fetch_add(&all.here[at], 1);
      for (int turn = 0; atomic_load_explicit(&all.here[at], memory_order_relaxed) < THREADS; ++turn) wait_turn(turn);
      for (uint64_t delay = next_random(random) & all.delay; delay > 0; --delay) __asm__ volatile("");
    }
    all.outcomes[at * THREADS + me] = code(instance(at), all.values + (size_t)at * WATCHED);
    if (!all.in_step && (next_random(random) & 63) == 0) sched_yield();
  }
}

// Of the last round, perhaps not all.
static int64_t counting(void) {
  return all.runs > 0 && all.runs - all.done < all.instances ? all.runs - all.done : all.instances;
}

static void count_part(int part) {
  int64_t most = counting();
  for (int n = part; n < most; n += THREADS) {
    int64_t *values = all.values + (size_t)n * WATCHED, outcome = FINE;
    for (int t = 0; t < THREADS; ++t)
      if (all.outcomes[n * THREADS + t] > outcome) outcome = all.outcomes[n * THREADS + t];
    if (outcome == FINE) look(instance(n), all.packed, values);
    else memset(values, 0, WATCHED * sizeof *values);
    add(&all.counts[part], outcome, values, 1);
  }
}

static void end_round(double began) {
  all.done += counting();
  double time = now(), took = time - began;
  if (took < LONG_ROUND / 4 && all.instances < MOST_INSTANCES) all.instances *= 2;
  if (took > LONG_ROUND && all.instances > LEAST_INSTANCES) all.instances /= 2;
  if (all.deadline > 0 && time > all.deadline) atomic_store(&stopped, 1);
  if (all.runs > 0 && all.done >= all.runs) atomic_store(&stopped, 1);
  if (time - all.told > NEWS) {
    all.told = time;
    printf("runs %lld\n", (long long)all.done);
    fflush(stdout);
  }
}

static void stay_on_a_core(int me) {
#ifdef __linux__
  if (all.cores > 0) {
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(all.processors[me % all.cores], &own);
    sched_setaffinity(0, sizeof own, &own);
  }
#else
  (void)me;
#endif
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  uint64_t random = (all.seed + 1) * 0x9e3779b97f4a7c15u + (uint64_t)me * 0xd1b54a32d192ed03u + 1;
  double began = 0;
  stay_on_a_core(me);
  for (int64_t round = 0;; ++round) {
    if (me == 0) {
      plan_round(round, &random);
      began = now();
    }
    meet(&all.counted);  // the plan is known
    if (all.ends) return NULL;
    for (int n = (me + (int)(round % THREADS)) % THREADS; n < all.instances; n += THREADS) {
      fill(instance(n), all.packed);
      atomic_store_explicit(&all.here[n], 0, memory_order_relaxed);
    }
    meet(&all.before);
    run_round(me, &random);
    meet(&all.after);
    count_part(me);
    meet(&all.counted);
    if (me == 0) end_round(began);
  }
}

static void stop(int signal) {
  (void)signal;
  atomic_store(&stopped, 1);
}

static void find_cores(void) {
#ifdef __linux__
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) == 0)
    for (int n = 0; n < CPU_SETSIZE && n < 1024; ++n)
      if (CPU_ISSET(n, &usable)) all.processors[all.cores++] = n;
  all.in_step = all.cores >= THREADS;
#else
  all.in_step = sysconf(_SC_NPROCESSORS_ONLN) >= THREADS;
#endif
}

int main(int count, char **given) {
  if (count != 5) return 70;
  all.runs = atoll(given[1]);
  double seconds = atof(given[2]);
  all.layouts = atoi(given[3]);
  all.seed = strtoull(given[4], NULL, 10);
  signal(SIGTERM, stop);
  signal(SIGINT, stop);
  find_cores();
  all.instances = LEAST_INSTANCES;
  size_t bytes = BYTES_SPREAD > BYTES_PACKED ? BYTES_SPREAD : BYTES_PACKED;
  all.memory = got(aligned_alloc(4096, (MOST_INSTANCES * bytes + 4095) / 4096 * 4096));
  all.values = got(calloc(MOST_INSTANCES * (WATCHED + 1), sizeof *all.values));
  all.outcomes = got(calloc(MOST_INSTANCES * THREADS, sizeof *all.outcomes));
  all.here = got(calloc(MOST_INSTANCES, sizeof *all.here));
  all.started = all.told = now();
  all.deadline = seconds > 0 ? all.started + seconds : 0;

  pthread_t others[THREADS];
  for (intptr_t n = 1; n < THREADS; ++n)
    if (pthread_create(&others[n], NULL, work, (void *)n) != 0) {
      fputs("a thread cannot be started\n", stderr);
      return 70;
    }
  work((void *)0);
  for (int n = 1; n < THREADS; ++n) pthread_join(others[n], NULL);

  table sum = {NULL, 0, 0};
  for (int part = 0; part < THREADS; ++part)
    for (size_t n = 0; n < all.counts[part].room; ++n) {
      state *s = &all.counts[part].states[n];
      if (s->count) add(&sum, s->outcome, s->values, s->count);
    }
  for (size_t n = 0; n < sum.room; ++n) {
    state *s = &sum.states[n];
    if (s->count == 0) continue;
    printf("state %lld %lld", (long long)s->outcome, (long long)s->count);
    for (int v = 0; v < WATCHED; ++v) printf(" %lld", (long long)s->values[v]);
    putchar('\n');
  }
  printf("end %.6f\n", now() - all.started);
  return 0;
}
