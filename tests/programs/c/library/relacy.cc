// executions: rc11 2
#include <unrelacy.h>
#include <threads.h>
#include <mutex>
static std::mutex guard;
static rl::var<unsigned> waiters(0);
static std::atomic<int> flag;
static void adds(void *unused) {
    guard.lock($);
    waiters += 1;
    flag.store(1, std::mo_release);
    guard.unlock($);
}
int user_main(int argc, char **argv) {
    thrd_t a, b;
    thrd_create(&a, &adds, NULL);
    thrd_create(&b, &adds, NULL);
    RL_ASSERT(thrd_current().priv != a.priv && !thrd_equal(a, b));
    thrd_join(a);
    thrd_join(b);
    RL_ASSERT(waiters($) == 2 && flag.load(std::mo_acquire) == 1);
    return 0;
}
