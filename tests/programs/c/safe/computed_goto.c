// executions: sc 2, rc11 2
// Jumps to labels that are computed: an interpreter with a table of labels, one of differences, and a loop in them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int total;

static int run(const unsigned char *code) {
  static void *const labels[] = {&&stop, &&increment, &&twice, &&publish};
  static const int near[] = {&&stop - &&stop, &&increment - &&stop, &&twice - &&stop, &&publish - &&stop};
  int value = 0;
  goto *labels[*code++];
increment:
  value++;
  goto *labels[*code++];
twice:
  value *= 2;
  goto *(&&stop + near[*code++]);
publish:
  atomic_fetch_add(&total, value);
  goto *labels[*code++];
stop:
  return value;
}

static const unsigned char programs[2][6] = {{1, 1, 2, 3, 0}, {1, 2, 2, 1, 3, 0}};

static void *interpreter(void *code) { return (void *)(long)run(code); }

int main(void) {
  pthread_t one, two;
  void *a, *b;
  pthread_create(&one, 0, interpreter, (void *)programs[0]);
  pthread_create(&two, 0, interpreter, (void *)programs[1]);
  pthread_join(one, &a);
  pthread_join(two, &b);
  assert((long)a == 4 && (long)b == 5 && total == 9);
  return 0;
}
