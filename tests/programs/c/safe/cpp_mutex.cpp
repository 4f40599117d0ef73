// std::mutex, std::lock_guard, a class, references: two deposits, in either order.
// executions: rc11 2, sc 2

#include <cassert>
#include <mutex>
#include <thread>

class Account {
  public:
    void deposit(int amount) {
        std::lock_guard<std::mutex> guard(mutex_);
        balance_ += amount;
    }
    int balance() const { return balance_; }

  private:
    std::mutex mutex_;
    int balance_ = 0;
};

int main() {
    Account account;
    std::thread a([&account] { account.deposit(1); });
    std::thread b([&account] { account.deposit(2); });
    a.join();
    b.join();
    assert(account.balance() == 3);
}
