// Runs a program's threads on a graph: who comes next, which event that makes, and what its thread does then.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "explore/dependencies.hpp"
#include "explore/early_writes.hpp"
#include "explore/graph.hpp"
#include "explore/machine.hpp"
#include "explore/mutex.hpp"
#include "explore/overlaps.hpp"
#include "explore/roles.hpp"
#include "explore/views.hpp"

namespace porf::explore {

class Courses;
class Sections;

// What a read that may wait finds: it need not wait, it may find that it need not, or it waits.
enum class Chances : std::uint8_t { kReady, kSome, kNone };

class Runner {
 public:
  // `threads`: how many there may be; `unroll`: iterations after which a loop is cut; `gaps`: see MemoryMap; `races`:
  // how happens-before arises for races; kNone also if that is not known; `symmetry`: threads that nothing tells apart
  // are to be noted; `sections`: see Sizes; `dependencies`: whether it is followed what events depend on; `kept`: bits
  // of KeptOrder, with which early writes are gathered.
  Runner(const Program& program, std::int32_t threads, std::int64_t unroll, StackSize stack, bool gaps, Sync races,
         bool symmetry, Sections* sections, bool dependencies = false, std::int32_t kept = kNoCycles);

  const Program& program() const { return program_; }
  const MemoryMap& memory() const { return memory_; }
  const Machine& machine() const { return machine_; }
  const Overlaps& overlaps() const { return overlaps_; }
  std::int32_t threads() const { return threads_; }  // how many there may be

  // What was gathered of early writes; null if nothing is.
  EarlyWrites* early() const { return early_.get(); }

  // Whether there have been threads that nothing tells apart.
  bool symmetric() const { return symmetric_; }
  // An instruction, or the same one in the first template that has the same code.
  std::int32_t role_of(std::int32_t pc) const { return roles_->pc[pc]; }

  Graph fresh();  // the graph of no events

  // The thread that comes next, a function of the graph alone; -1 if none can go on. What does not read comes
  // first, and before all the thread that others wait for with a lock; last, reads that had better wait, and locks that
  // will wait. kOverslept if a lock waits although its mutex was given back: other graphs cover that.
  static constexpr std::int32_t kOverslept = -2;
  using ChancesOf = std::function<Chances(std::int32_t thread)>;  // of a thread that reads next
  std::int32_t choose(const Graph& g, const ChancesOf& chances = {}) const;
  // Whether a write gives a mutex back that another thread waits for: without that thread, it would be overslept.
  static bool wakes(const Graph& g, std::int32_t write);

  // The thread that a waiting thread waits for, or the thread itself if it can go on; -1 if nobody helps.
  std::int32_t wanted(const Graph& g, std::int32_t thread) const;

  // A thread waits at the end of an iteration. Whether the next one may find something else although nothing is
  // written: it is more than one event, or goes on with another value. And the next one, up to its first event.
  bool may_repeat(const Graph& g, std::int32_t thread) const;
  void repeat(Graph& g, std::int32_t thread);

  // The event that the thread adds next. A read takes its value from `source`, and `fails` says that a weak
  // compare-exchange fails although it need not; a choice takes the number `source`, counted from 0.
  Event next(const Graph& g, std::int32_t thread, std::int32_t source, bool fails) const;

  // Gives a read its source; what it writes, and whether, follows.
  void read_from(const Graph& g, Event& event, const Pending& op, std::int32_t source, bool fails) const;
  // Gives a read a value, whose source is not there yet.
  void read_value(Event& event, const Pending& op, std::int64_t value, bool fails) const;

  // A weak compare-exchange that failed although it found what it expected.
  bool fails_for_no_reason(const Graph& g, std::int32_t e) const {
    const Event& v = g[e];
    if (v.op != kRead || v.conflict || v.role != Role::kNone) return false;
    std::int64_t written = 0;
    const Pending& op = g.pending_before(e);
    return op.weak && Machine::modify(op, v.read, written);
  }

  // Whether a weak operation may fail for no reason, which reads (or chooses) a value after an event of its thread (-1:
  // it has none), and that is more than an iteration that changes nothing. One that did so too often in a row is left
  // out, and noted.
  bool may_fail(const Graph& g, std::int32_t thread, std::int32_t after, std::int64_t value,
                std::set<std::int32_t>& too_often) const;

  // Whether a read stands before the end of an iteration, so that some values may make its thread wait there.
  bool may_wait(const Pending& p) const {
    bool reads = p.next == Next::kLoad || p.next == Next::kRmw || p.next == Next::kCas;
    if (!reads || p.loc < 0 || p.kind == kRecalls) return false;
    Awaited awaited = awaiting_[static_cast<std::size_t>(p.pc)];
    return awaited == kAssumption || (awaited == kLoop && !Machine::always_changes(p));
  }
  // Whether what a thread reads after an event (-1: none) makes it wait, if it reads this value.
  bool would_wait(const Graph& g, std::int32_t thread, std::int32_t after, std::int64_t value) const;

  // The instructions at which threads would have waited so.
  const std::set<std::int32_t>& waiting() const { return waiting_; }
  // Whether a compare-exchange after an event only confirms what its thread has loaded from the same location in the
  // same iteration, by a load that does not wait: whatever else it finds makes the thread wait. `same` is the thread's
  // last access of the location.
  bool confirms(const Graph& g, std::int32_t thread, std::int32_t after, std::int32_t same) const;
  bool may_confirm() const { return may_confirm_; }  // some compare-exchange

  // The update by which a thread got what it gives back by a plain write, if that update may have waited for it; -1 if
  // the write is none of that kind.
  std::int32_t taken_by(const Graph& g, std::int32_t write) const;

  // A choice that is not the first one.
  static bool chose_later(const Graph& g, std::int32_t e) {
    return g[e].op == kChooseOp && g[e].read != g.pending_before(e).expected;
  }

  // The event is in the graph for good: its thread runs on to its next one.
  void settle(Graph& g, std::int32_t e);

  // The value that a write, or the initial one, leaves at a location.
  std::int64_t value(const Graph& g, std::int32_t loc, std::int32_t write) const {
    return write >= 0 ? g[write].written : memory_[loc].initial;
  }

  // Threads in a fixed order: a thread comes before those that it starts, and they in the order of starting.
  const std::vector<std::uint64_t>& rank() const { return table_.rank(); }
  const std::vector<std::int32_t>& by_rank() const { return table_.by_rank(); }
  std::uint64_t name(std::int32_t thread) const { return table_.name(thread); }

  // What a lock takes, or waits for, as the graph is.
  std::int32_t mutex_source(const Graph& g, std::int32_t loc) const {
    return explore::mutex_source(g, loc, [](std::int32_t) { return true; }, taken_);
  }
  bool held(const Graph& g, std::int32_t loc) const {
    std::int64_t found = value(g, loc, mutex_source(g, loc));
    return found != 0 && !memory_.unset().has(found);
  }

  // Whether an access can be wrong because of another one: by a race, or because its object is gone.
  bool has_conflicts() const { return conflicts_; }

  // A register of a thread's first frame.
  std::int64_t watched(const Graph& g, const Watch& watch) const {
    return g.state(watch.thread)[machine_.root() + watch.reg];
  }

  // Something was found that is to be shown as it is: no mutex may be divided.
  void show_as_is() const;
  // An execution has come to its end: it is one, unless it was followed only to learn which sections commute.
  void end_execution() const;

  // What all threads printed, each after one of their events.
  std::vector<Printed> printed(const Graph& g) const;

 private:
  void run(Graph& g, const Machine::Who& who, std::int32_t after, std::int64_t* state, std::int32_t pc,
           Pending& pending);
  std::int32_t entry(std::int32_t code) const { return program_.templates[static_cast<std::size_t>(code)].entry; }
  std::int32_t finish(const Graph& g, std::int32_t e, std::int64_t* state) const;
  void begin_with(const Template& code, const Instruction& spawn, const std::int64_t* state, std::int64_t* begin) const;
  std::int32_t as_earlier(const Graph& g, std::int32_t thread);
  std::int32_t like_start(const Graph& g, std::size_t start);
  std::int32_t like_spawned(const Graph& g, std::int32_t e);
  void check_unlock(const Graph& g, std::int32_t after, Pending& pending) const;
  void check_barrier(const Graph& g, std::int32_t thread, Pending& pending) const;
  std::int32_t arrivals(const Graph& g, std::int32_t barrier, std::int64_t round) const;
  std::int64_t round_of(const Graph& g, std::int32_t thread, std::int32_t barrier) const;
  std::int64_t places_at(const Graph& g, std::int32_t barrier) const;
  bool all_there(const Graph& g, std::int32_t thread) const;
  bool is_last(const Graph& g, std::int32_t thread, const Event& barrier) const;
  void run_again(const Graph& g, std::int32_t e, std::int64_t* state, std::vector<Printed>& out) const;
  Pending advance(const Graph& g, const Machine::Who& who, std::int32_t after, std::int64_t* state, std::int32_t pc,
                  std::vector<Printed>* prints = nullptr) const;
  bool stores_the_same(const Graph& g, std::int32_t e) const;
  bool keeps(const Graph& g, std::int32_t after, const Event* newest, const std::int64_t* state,
             const Instruction& back) const;
  std::int32_t choose_patient(const Graph& g, const ChancesOf& chances, std::int32_t first, std::int32_t reader) const;
  bool is_behind(const Graph& g, std::int32_t thread) const;
  void find_staying(bool retries) const;
  void find_awaiting();
  bool try_value(const Graph& g, const Pending& p, std::int32_t thread, std::int32_t after, std::int64_t value) const;
  std::int64_t* tried_after(const Graph& g, std::int32_t thread, std::int32_t after) const;
  const Instruction* waits_after(const Graph& g, std::int32_t after, const Event& newest, std::int32_t pc) const;

  std::int64_t name_of(std::int32_t loc) const;
  bool is_divided(const Graph& g, std::int32_t thread, std::int32_t after, std::int32_t mutex);
  std::int32_t part_of(std::int32_t mutex, std::int32_t group);
  std::int32_t group_in(std::int32_t mutex, std::int32_t part) const;
  bool goes_on(const Graph& g, const Machine::Who& who, std::int32_t after, std::int64_t* state, Pending& p);
  bool took_part(const Event& v, std::int64_t* state) const;
  void check_order(const Graph& g, std::int32_t e);
  void check_made(const Graph& g, std::int32_t e, std::int32_t mutex);

  const Program& program_;
  MemoryMap memory_;
  Overlaps overlaps_;
  std::int32_t threads_;
  ThreadTable table_;
  Machine machine_;
  std::int32_t slots_;
  std::unique_ptr<Dependencies> dependencies_;  // null if nobody asks
  std::unique_ptr<EarlyWrites> early_;
  std::shared_ptr<Courses> courses_;
  std::optional<Roles> roles_;  // if threads that nothing tells apart are to be noted
  bool symmetric_ = false;
  bool alike_ = false;  // there are such threads, whether they are noted or not
  bool conflicts_ = false;
  bool locks_ = false;      // a thread may wait for a mutex
  bool unordered_ = false;  // an access may conflict with one that comes after it by po and rf
  bool may_confirm_ = false;
  bool careful_ = false;      // and nothing is known of what releases it
  std::int64_t unknown_ = 0;  // a value of which nothing is known
  mutable std::set<std::int32_t> waiting_;
  mutable std::int32_t waited_ = -1;                     // the last one of these that was met
  mutable Marks taken_;                                  // scratch
  enum Awaited : char { kNothing, kLoop, kAssumption };  // the end of an iteration, or an assumption that stands for it
  std::vector<Awaited> awaiting_;                        // instruction -> what may be met next, before another event
  mutable std::vector<const Event*> iteration_, staying_;
  mutable std::vector<std::int64_t> tried_;
  Sections* sections_;                                                   // null if no mutex is divided
  std::set<std::int32_t> divided_;                                       // mutexes that were met
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> parts_;  // mutex, group -> the part
  std::map<std::int32_t, std::int32_t> group_of_;                        // mutex -> the group that was met first
  std::vector<char> is_part_;                                            // location
};

}  // namespace porf::explore
