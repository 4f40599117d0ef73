// An execution as lines of events that each take place in program order: what SC and TSO keep of a thread.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "allowance.hpp"
#include "interleaving/global_order.hpp"

namespace porf::interleaving {

// An execution seen as lines of events that each take place in program order, and the base edges between them. Under SC
// a line is a thread. Under TSO a thread is two lines: its plain writes, as they leave the buffer, and all else.
struct Lines {
  Ints thread, index;
  Execution x;
  Large<Derived> edges;
  Uniprocessor breach = Uniprocessor::kNone;
  std::int32_t read = -1, own = -1;

  // From thread `timed` on, what follows in a line does so by real time.
  Lines(const Execution& original, Memory memory, std::int32_t timed)
      : thread(original.thread.begin(), original.thread.end()), x(original) {
    if (memory == Memory::kTso) {
      for (std::int32_t e = 0; e < x.size(); ++e) thread[e] = 2 * thread[e] + (x.op[e] == kWrite ? 1 : 0);
      x.thread = thread;
      x.threads = 2 * original.threads;
    }
    index.resize(x.size());
    Ints length(x.threads, 0);
    for (std::int32_t e = 0; e < x.size(); ++e) index[e] = ++length[x.thread[e]];
    add_edges(original, memory, timed);
    if (memory == Memory::kTso) look_at_own(original);
  }

 private:
  void add_edges(const Execution& original, Memory memory, std::int32_t timed) {
    Ints last(x.threads, -1);
    auto step = [&](std::int32_t line, std::int32_t e) {
      const Ground ground = original.thread[e] >= timed ? Ground::kTime : Ground::kPo;
      if (last[line] >= 0) edges.push_back({last[line], e, ground});
    };
    Toil toil;
    for (std::int32_t e = 0; e < x.size(); ++e) {
      toil.demand(4);
      std::int32_t line = x.thread[e];
      step(line, e);
      // Writes wait for what is before them; fences and updates wait for the writes before them.
      if (memory == Memory::kTso && x.op[e] != kRead) step(line ^ 1, e);
      last[line] = e;
      if (!x.reads(e) || x.rf[e] < 0) continue;
      bool buffered = memory == Memory::kTso && original.thread[x.rf[e]] == original.thread[e] &&
                      x.op[x.rf[e]] == kWrite && x.op[e] == kRead;
      if (!buffered) edges.push_back({x.rf[e], e, Ground::kRf});
    }
  }

  // A read sees its thread's last write of the location, or what came after that.
  void look_at_own(const Execution& original) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> own_write;
    Toil toil;
    for (std::int32_t e = 0; e < x.size() && breach == Uniprocessor::kNone; ++e) {
      toil.demand(32);
      if (x.op[e] == kFence) continue;
      auto [found, fresh] = own_write.try_emplace({original.thread[e], x.loc[e]}, -1);
      if (x.reads(e)) look_at_read(original, e, found->second);
      if (x.writes(e)) found->second = e;
    }
  }

  void look_at_read(const Execution& original, std::int32_t e, std::int32_t mine) {
    std::int32_t w = x.rf[e];
    bool inside = w >= 0 && original.thread[w] == original.thread[e];
    auto fail = [&](Uniprocessor how) {
      breach = how;
      read = e;
      own = mine;
    };
    if (inside && w >= e) return fail(Uniprocessor::kFromLater);
    if (mine < 0 || w == mine) return;
    if (w < 0) return fail(Uniprocessor::kMissesOwn);
    if (inside) return fail(Uniprocessor::kStaleOwn);
    edges.push_back({mine, w, Ground::kOwn, e});
  }
};

}  // namespace porf::interleaving
