// A thread that was never created is joined.
// expect: indeterminate value
#include <pthread.h>

int main(void) {
  pthread_t t;
  pthread_join(t, 0); // here
  return 0;
}
