// A unique_lock knows that it was unlocked.
#include <mutex>

static std::mutex m;

int main() {
  std::unique_lock<std::mutex> guard(m);
  guard.unlock();
  return 0;
}
