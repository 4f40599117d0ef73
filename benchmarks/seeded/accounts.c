// Two accounts, each with its lock; both threads take the locks in the same order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int a = 1, b = 1;

static void *there(void *unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  a--, b++;
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return 0;
}

static void *back(void *unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  b--, a++;
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, there, 0);
  pthread_create(&t[1], 0, back, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(a == 1 && b == 1);
}
