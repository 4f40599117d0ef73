// Only one of two threads sets its result.
// expect: indeterminate value
#include <pthread.h>

struct job { int input, output; };

static void *run(void *p) {
  struct job *j = p;
  if (j->input > 0)
    j->output = j->input * 2;
  return 0;
}

int main(void) {
  pthread_t t[2];
  struct job jobs[2];
  for (int i = 0; i < 2; i++) {
    jobs[i].input = i;
    pthread_create(&t[i], 0, run, &jobs[i]);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  if (jobs[0].output + jobs[1].output == 2) // here
    return 1;
  return 0;
}
