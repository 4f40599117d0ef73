// SC and TSO of events as they come, in bounded memory: a machine that runs along, and the whole procedure on what is
// kept where the machine does not find its way.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "interleaving/global_order.hpp"
#include "memory.hpp"

namespace porf::interleaving {

// Events come after those before them in their thread and after the write that they read, best in the order in which
// threads ran them. They are known by how many came before them.
class Follower {
 public:
  explicit Follower(Memory memory) : memory_(memory) {}

  // Whether what is kept, with this event, has a global order. The first time that it has none is final.
  bool feed(std::int32_t thread, std::uint8_t op, std::int32_t loc, std::int64_t rf);

  // The last event read a write that is not kept any more: it had been overwritten long before.
  bool stale() const { return stale_; }
  // The machine has run all events, one after the other or in another order: so all of them together are consistent.
  bool exact() const { return exact_; }
  std::int64_t forgotten() const { return forgotten_; }
  std::uint64_t searches() const { return searches_; }
  // The events that are kept, ascending. Whoever has them may forget all others, whenever `forgotten` has grown.
  std::vector<std::int64_t> kept() const;

 private:
  struct Event {
    std::int64_t number;
    std::int32_t thread, loc;
    std::int64_t rf;
    std::uint8_t op;
  };
  struct Buffered {
    std::int64_t write;
    std::int32_t loc;
    std::int64_t read = -1;  // when its own thread read it last
  };
  // The machine's state before an event.
  struct State {
    std::int64_t next = 0;
    std::vector<std::int64_t> cell;             // location -> the write that is there, -1 for the initial one
    std::vector<std::int64_t> since;            // location -> when that left its buffer
    std::vector<std::deque<Buffered>> buffers;  // thread -> writes that have not left it
    std::vector<std::int64_t> last;             // thread -> when a write left its buffer last
  };
  struct Columns {
    Ints thread, loc, rf;
    Large<std::uint8_t> op;
    std::vector<std::int64_t> number;
    void add(const Event& event, std::int32_t rf_row);
  };

  bool run(const Event& event);
  bool read(const Event& event);
  void leave(std::int32_t thread, bool seen = false);
  bool hide(const Buffered& write, std::int32_t thread);
  void drain(std::int32_t thread);
  bool find_order();
  Result decide(const Columns& columns) const;
  bool columns_from(const State& state, Columns& columns) const;
  Columns columns_of_all() const;
  void take(const Result& found, const Columns& columns);
  void checkpoint();
  void forget();
  const Event* event_of(std::int64_t number) const;

  static constexpr std::int64_t kWindow = 512;  // events that are kept in any case
  static constexpr std::uint64_t kSteps = 20'000'000;

  Memory memory_;
  bool fine_ = true, stale_ = false, exact_ = true;
  std::int64_t size_ = 0, forgotten_ = 0;
  std::uint64_t searches_ = 0;
  std::vector<Event> events_;  // by number
  State now_;
  State base_;                // orders are sought from here on
  std::vector<State> later_;  // where the next base may be, ascending
};

}  // namespace porf::interleaving
