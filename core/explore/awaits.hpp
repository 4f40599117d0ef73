// Reads that wait: in a loop whose iterations change nothing, a value that leads back to the beginning of the iteration
// is one that the thread waits with. Executions in which it waits in vain show nothing of their own, so a read is given
// such a value only where another execution is reached from there. docs/design/exploration.md, "Waiting without waste".
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "explore/engine.hpp"
#include "explore/graph.hpp"
#include "explore/guesses.hpp"
#include "explore/runner.hpp"

namespace porf::explore {

// An engine that knows the chains of writes of a location, and what stays consistent to read.
template <typename E>
concept AwaitingEngine =
    Engine<E> && requires(E engine, const Graph& g, std::int32_t i, const Pending& p, typename E::Sources& out) {
      // Whether a safe source is consistent for such a read, after an event of its thread.
      { engine.can_be_safe(g, i, p, i) } -> std::same_as<bool>;
      // And who waits for a plain write that comes then can always take it.
      { E::kWakes } -> std::convertible_to<bool>;
      { engine.chain_key(g, i, i, i) } -> std::same_as<std::uint64_t>;
    };

// What a value, or the write that has it, is for a read that waits.
enum class Use : std::uint8_t {
  kGood,     // it ends the wait
  kWaits,    // it does not, but a read may have it by default, and take another one then
  kUseless,  // neither
  kGuessed,  // likewise, if a guess is right
};

template <Engine Consistency>
class Awaits {
 public:
  Awaits(const Runner& runner, Consistency& engine, bool wanted, const Guesses& guesses)
      : runner_(runner), engine_(engine), wanted_(wanted), guesses_(guesses) {}

  // Whether a thread's next event, or one of the graph, may be a read that waits.
  bool applies(const Graph& g, std::int32_t thread) const { return applies(g.pending(thread)); }
  bool applied(const Graph& g, std::int32_t e) const { return applies(g.pending_before(e)); }

  // What a thread's next event finds, if that applies. What confirms need not wait: if it can, it does so at once.
  Chances chances(const Graph& g, std::int32_t level, std::int32_t thread) {
    if constexpr (AwaitingEngine<Consistency>) {
      if (!applies(g, thread)) return Chances::kReady;
      known_of_ = thread;
      all_good_ = are_all_good(g, thread);
      if (all_good_) return Chances::kReady;
      gather_for(g, level, thread);
      return confirms_ || sources_.is_ready() ? Chances::kReady : sources_.has_good() ? Chances::kSome : Chances::kNone;
    }
    return Chances::kReady;
  }

  // What is known of a thread's next event, if it may wait, before its sources are looked at one by one.
  void begin(const Graph& g, std::int32_t level, std::int32_t thread) {
    if (known_of_ != thread) gather_for(g, level, thread);
    known_of_ = -1;
  }
  Use use_of(std::int32_t source) const {
    if constexpr (AwaitingEngine<Consistency>) {
      if (all_good_ || sources_.is_good(source)) return Use::kGood;
      if (!(like_others_ ? sources_.may_be_tail(source) : sources_.may_be_default(source))) return Use::kUseless;
      return confirms_ && in_vain_ ? Use::kGuessed : Use::kWaits;
    }
    return Use::kGood;
  }

  // What the write of a cut is for read r, if it revisits that.
  Use use_of_revisit(const Graph& g, std::int32_t level, std::int32_t r, const Cut& cut) {
    std::int32_t a = cut.a;
    if constexpr (AwaitingEngine<Consistency>) {
      if (!would_wait(g, r, a)) return Use::kGood;
      const Clock* prefix = cut.prefix;
      gather(g, level, r, [&](std::int32_t e) { return e != r && (e < r || g.before(e, prefix)); }, -1);
      if (g[a].conflict) engine_.add_conflict(g, level, a, sources_);
      judge(g, level, g[r].thread, g[r].prev, g[r].same);
    }
    return use_of(a);
  }

  // Whether d, with this source, reads what it takes by default in the graph of the cut; nothing if that is left to the
  // engine.
  std::optional<bool> is_default(const Graph& g, std::int32_t level, const Cut& cut, std::int32_t d) {
    if constexpr (AwaitingEngine<Consistency>) {
      if (takes_what_any_takes(g, level, g[d].thread, g[d].prev)) return {};
      auto inside = [&](std::int32_t e) {
        return e != d && (e < d || g.before(e, cut.prefix)) && (e != cut.a || g[e].op != kWrite);
      };
      auto key = [&](std::int32_t chain) { return engine_.chain_key(g, level, g[d].loc, chain); };
      // An update is none that waits, though its thread may go no further.
      bool waits = g[d].op == kRead && g.after[static_cast<std::size_t>(d)].next == Next::kSpins;
      if constexpr (Consistency::kFastCanonical) {
        // What any read takes, if it is good, which costs least to find out.
        if (!waits && engine_.canonical(g, level, cut, d)) return true;
        gather(g, level, d, inside, cut.a);
        std::int32_t tail = sources_.tail(key);
        if (tail != g[d].rf && !would_wait(g, d, tail)) return false;
      } else {
        gather(g, level, d, inside, cut.a);
      }
      judge(g, level, g[d].thread, g[d].prev, g[d].same);
      std::int32_t source = kInitial;
      if (!sources_.find_default(key, source)) return {};
      return source == g[d].rf;
    }
    return {};
  }

  // A write gives back what its thread had taken by an update, and another thread waits for that, with the value of
  // that update: the graph in which that thread goes on covers all that comes of it.
  bool oversleeps(const Graph& g, std::int32_t level, std::int32_t write) {
    std::int32_t taken = guesses_woken() ? runner_.taken_by(g, write) : -1;
    if (taken < 0) return false;
    for (std::int32_t e = g.last_at(g[write].loc); e >= 0; e = g[e].at)
      if (sleeps(g, level, e, taken) && !would_wait(g, e, write)) return true;
    return false;
  }
  bool is_overslept(const Graph& g, std::int32_t level, std::int32_t e) {
    if (!guesses_woken() || g[e].rf < 0 || !sleeps(g, level, e, g[e].rf)) return false;
    for (std::int32_t w = g.last_at(g[e].loc); w >= 0; w = g[w].at)
      if (runner_.taken_by(g, w) == g[e].rf && !would_wait(g, e, w)) return true;
    return false;
  }

  // A write has arrived, perhaps with a value that its location has had before.
  void watch(const Graph& g, std::int32_t write) const {
    std::int64_t value = g[write].written;
    if (!wanted_ || !runner_.may_confirm() || !g[write].writes() || !guesses_.covers(value)) return;
    bool again = runner_.value(g, g[write].loc, kInitial) == value;
    for (std::int32_t e = g.last_at(g[write].loc); e >= 0 && !again; e = g[e].at)
      again = e != write && g[e].writes() && g[e].written == value;
    if (again) throw WrongGuess{Guess::kUnique};
  }

  // An update in a part of a graph whose source is not there. If it waited for that, it could wait again, and the guess
  // that it need not is wrong.
  template <typename Inside>
  void check_woken(const Graph& g, std::int32_t level, std::int32_t e, Inside inside) const {
    if (!guesses_woken() || g[e].op != kUpdate || !could_sleep(g, level, e)) return;
    std::int32_t taken = runner_.taken_by(g, g[e].rf);
    if (taken >= 0 && inside(taken)) throw WrongGuess{Guess::kWoken};
  }

 private:
  bool applies(const Pending& p) const { return AwaitingEngine<Consistency> && wanted_ && runner_.may_wait(p); }

  bool guesses_woken() const {
    if constexpr (AwaitingEngine<Consistency>) return Consistency::kWakes && guesses_.woken;
    return false;
  }
  bool could_sleep(const Graph& g, std::int32_t level, std::int32_t e) const {
    if constexpr (AwaitingEngine<Consistency>)
      return applied(g, e) && engine_.can_be_safe(g, level, g.pending_before(e), g.predecessor(e));
    return false;
  }

  static std::int32_t predecessor(const Graph& g, std::int32_t thread) {
    return g.last[thread] >= 0 ? g.last[thread] : g.begun_by[thread];
  }

  // Where nothing is safe, a thread takes by default what any read takes; so does one that is like an earlier one, for
  // that is in the order that symmetry asks for.
  bool takes_what_any_takes(const Graph& g, std::int32_t level, std::int32_t thread, std::int32_t after) const {
    const Pending& p = after >= 0 ? g.after[static_cast<std::size_t>(after)] : g.begin_pending[thread];
    if (runner_.symmetric() && g.alike[thread] >= 0) return true;
    return !engine_.can_be_safe(g, level, p, after >= 0 ? after : g.begun_by[thread]);
  }

  bool sleeps(const Graph& g, std::int32_t level, std::int32_t e, std::int32_t source) const {
    return g[e].op == kRead && g[e].rf == source && g.after[static_cast<std::size_t>(e)].next == Next::kSpins &&
           g.pending_before(e).next != Next::kLoad && could_sleep(g, level, e);
  }
  bool would_wait(const Graph& g, std::int32_t e, std::int32_t source) const {
    return runner_.would_wait(g, g[e].thread, g[e].prev, runner_.value(g, g[e].loc, source));
  }

  // Whether a location has few writes, and none of them would make the thread wait that reads it next: then it need not
  // be known which of them it may read.
  bool are_all_good(const Graph& g, std::int32_t thread) const {
    constexpr std::int32_t kFew = 4;  // accesses
    std::int32_t loc = g.pending(thread).loc, left = kFew;
    auto is_good = [&](std::int32_t w) {
      return !runner_.would_wait(g, thread, g.last[thread], runner_.value(g, loc, w));
    };
    for (std::int32_t e = g.last_at(loc); e >= 0; e = g[e].at)
      if (--left < 0 || (g[e].writes() && !is_good(e))) return false;
    return is_good(kInitial);
  }

  void gather_for(const Graph& g, std::int32_t level, std::int32_t thread) {
    if constexpr (AwaitingEngine<Consistency>) {
      all_good_ = false;
      std::int32_t loc = g.pending(thread).loc, before = predecessor(g, thread);
      if (!engine_.gather_only(g, level, thread, before, sources_))
        engine_.gather(g, level, loc, before, [](std::int32_t) { return true; }, -1, sources_);
      judge(g, level, thread, g.last[thread], g.last_of(loc, thread));
    }
  }

  template <typename Inside>
  void gather(const Graph& g, std::int32_t level, std::int32_t e, Inside inside, std::int32_t only_reads) {
    known_of_ = -1;
    all_good_ = false;
    engine_.gather(g, level, g[e].loc, g.predecessor(e), inside, only_reads, sources_);
  }

  // For a read after an event of its thread, where `same` is the thread's last access of the location before it.
  void judge(const Graph& g, std::int32_t level, std::int32_t thread, std::int32_t after, std::int32_t same) {
    const Pending& p = after >= 0 ? g.after[static_cast<std::size_t>(after)] : g.begin_pending[thread];
    known_.clear();
    sources_.judge(
        [&](std::int32_t w) {
          std::int64_t value = runner_.value(g, p.loc, w);
          for (const auto& [v, good] : known_)
            if (v == value) return good;
          return known_.emplace_back(value, !runner_.would_wait(g, thread, after, value)).second;
        },
        [&](std::int32_t w) {
          std::int64_t written = 0;
          return Machine::modify(p, runner_.value(g, p.loc, w), written);
        });
    like_others_ = takes_what_any_takes(g, level, thread, after);
    confirms_ = runner_.confirms(g, thread, after, same);
    in_vain_ = guesses_.covers(p.expected);
  }

  template <typename E>
  struct SourcesOf {
    using Type = std::monostate;
  };
  template <AwaitingEngine E>
  struct SourcesOf<E> {
    using Type = typename E::Sources;
  };

  const Runner& runner_;
  Consistency& engine_;
  bool wanted_;
  const Guesses& guesses_;
  typename SourcesOf<Consistency>::Type sources_;
  std::int32_t known_of_ = -1;  // the thread that they were gathered for, if nothing has changed since then
  bool all_good_ = false;       // whichever it reads; then nothing was gathered
  bool like_others_ = false;    // the read takes by default what any read takes
  bool confirms_ = false;       // a compare-exchange expects what the thread has read, and nothing else ends its wait,
  bool in_vain_ = false;        // which no later write does
  std::vector<std::pair<std::int64_t, bool>> known_;  // value -> whether it ends the wait
};

}  // namespace porf::explore
