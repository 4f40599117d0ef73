// executions: rc11 1
// The system: options, signals that never arrive, pages, processors, dates.
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static int loud;
static const struct option known[] = {{"size", required_argument, 0, 's'}, {"loud", no_argument, &loud, 1}, {0}};
static volatile sig_atomic_t stopped;

static void stop(int signal) { stopped = 1; }

static int options(int count, char **arguments) {
  int c, found = 0;
  optind = 1;
  while ((c = getopt_long(count, arguments, "s:", known, 0)) != -1)
    if (c == 's') found = 100 * found + atoi(optarg);
  return found;
}

int main(int argc, char **argv) {
  char *given[] = {"a", "--size", "12", "--loud", "-s3", "--size=45", "rest", 0};
  assert(options(argc, argv) == 0 && !loud);
  assert(options(7, given) == 120345 && loud && optind == 6);
  struct sigaction action = {.sa_handler = stop};
  sigemptyset(&action.sa_mask);
  assert(sigaction(SIGTERM, &action, 0) == 0 && signal(SIGINT, stop) == 0 && !stopped);
  long *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(page != MAP_FAILED && page[511] == 0);
  page[511] = 1;
  assert(munmap(page, 4096) == 0);
  cpu_set_t set;
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 2);
  time_t now = time(0);
  struct tm parts;
  char text[32];
  assert(localtime_r(&now, &parts) == &parts && strftime(text, sizeof text, "%F", &parts) > 0);
  return 0;
}
