// An intrusive doubly linked list with container_of, offsetof, iteration with removal, and a
// worker queue on top of it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct list_head { struct list_head *next, *prev; };

static void list_init(struct list_head *h) { h->next = h->prev = h; }
static bool list_empty(const struct list_head *h) { return h->next == h; }

static void list_insert(struct list_head *n, struct list_head *prev, struct list_head *next) {
  next->prev = n;
  n->next = next;
  n->prev = prev;
  prev->next = n;
}

static void list_add_tail(struct list_head *n, struct list_head *h) { list_insert(n, h->prev, h); }
static void list_add(struct list_head *n, struct list_head *h) { list_insert(n, h, h->next); }

static void list_del(struct list_head *n) {
  n->next->prev = n->prev;
  n->prev->next = n->next;
  n->next = n->prev = NULL;
}

#define list_for_each(pos, head) for (pos = (head)->next; pos != (head); pos = pos->next)
#define list_for_each_safe(pos, n, head) \
  for (pos = (head)->next, n = pos->next; pos != (head); pos = n, n = pos->next)

enum kind { SQUARE, NEGATE, STOP };

struct job {
  enum kind kind;
  int input, output;
  char label[12];
  struct list_head link;
};

struct queue {
  struct list_head jobs, done;
  pthread_mutex_t lock;
  pthread_cond_t more;
  unsigned pending : 6;
  unsigned finished : 6;
  unsigned closed : 1;
};

static struct queue q;

static struct job *job_new(enum kind kind, int input, const char *label) {
  struct job *j = malloc(sizeof *j);
  j->kind = kind;
  j->input = input;
  strncpy(j->label, label, sizeof j->label - 1);
  j->label[sizeof j->label - 1] = '\0';
  return j;
}

static void queue_push(struct queue *q, struct job *j) {
  pthread_mutex_lock(&q->lock);
  list_add_tail(&j->link, &q->jobs);
  q->pending++;
  pthread_cond_signal(&q->more);
  pthread_mutex_unlock(&q->lock);
}

static struct job *queue_pop(struct queue *q) {
  struct job *j = NULL;
  pthread_mutex_lock(&q->lock);
  while (list_empty(&q->jobs) && !q->closed)
    pthread_cond_wait(&q->more, &q->lock);
  if (!list_empty(&q->jobs)) {
    struct list_head *first = q->jobs.next;
    list_del(first);
    q->pending--;
    j = container_of(first, struct job, link);
  }
  pthread_mutex_unlock(&q->lock);
  return j;
}

static int square(int x) { return x * x; }
static int negate(int x) { return -x; }

static int (*const operations[])(int) = {[SQUARE] = square, [NEGATE] = negate};

static void *worker(void *arg) {
  int *count = arg;
  for (;;) {
    struct job *j = queue_pop(&q);
    if (!j || j->kind == STOP) {
      free(j);
      return count;
    }
    j->output = operations[j->kind](j->input);
    ++*count;
    pthread_mutex_lock(&q.lock);
    list_add(&j->link, &q.done);
    q.finished++;
    pthread_mutex_unlock(&q.lock);
  }
}

static void remove_negative(struct list_head *h) {
  struct list_head *p, *n;
  list_for_each_safe(p, n, h) {
    struct job *j = container_of(p, struct job, link);
    if (j->output < 0) {
      list_del(p);
      free(j);
    }
  }
}

int main(void) {
  list_init(&q.jobs);
  list_init(&q.done);
  pthread_mutex_init(&q.lock, NULL);
  pthread_cond_init(&q.more, NULL);

  int handled = 0;
  pthread_t t;
  pthread_create(&t, NULL, worker, &handled);
  queue_push(&q, job_new(SQUARE, 7, "seven squared"));
  queue_push(&q, job_new(NEGATE, 3, "minus"));
  queue_push(&q, job_new(STOP, 0, ""));
  void *result;
  pthread_join(t, &result);
  assert(result == &handled && handled == 2);
  assert(q.pending == 0 && q.finished == 2 && !q.closed);

  struct list_head *p;
  int sum = 0;
  list_for_each(p, &q.done) {
    const struct job *j = container_of(p, struct job, link);
    sum += j->output;
    if (j->kind == SQUARE)
      assert(strcmp(j->label, "seven squar") == 0);
  }
  assert(sum == 46);
  remove_negative(&q.done);
  assert(q.done.next == q.done.prev && !list_empty(&q.done));
  struct job *last = container_of(q.done.next, struct job, link);
  struct job copy = *last;
  free(last);
  assert(copy.output == 49);
  return 0;
}
