// Real time as a few more events. Between an end and a later start lies a moment: an event without effect, in a line of
// its own, after what had ended and before what began. So real time, of which there are n² pairs, has O(n) edges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>

#include "execution.hpp"
#include "interleaving/global_order.hpp"
#include "memory.hpp"
#include "times.hpp"

namespace porf::interleaving {

// The rows of an execution, and a moment a row after them.
struct Moments {
  Ints thread, loc, rf, row;  // row: of the original, -1 for a moment
  Large<std::uint8_t> op, order;
  Execution x;
  Large<Derived> edges;

  Moments(const Execution& original, const Times& times, Memory memory, Time time) : x(original) {
    take_rows(original, times, time == Time::kAlone);
    if (time == Time::kAlone) thread = chains(times);
    const std::int32_t threads =
        time == Time::kAlone ? 1 + *std::max_element(thread.begin(), thread.end()) : original.threads;
    add_moments(times, memory, threads);
    x.thread = thread;
    x.op = op;
    x.loc = loc;
    x.order = order;
    x.rf = rf;
    x.threads = threads + 1;
    x.dependencies = {};
    x.tags = {};
  }

 private:
  // As they are, or by their starts.
  void take_rows(const Execution& original, const Times& times, bool by_start) {
    const std::int32_t n = original.size();
    row.resize(n);
    for (std::int32_t e = 0; e < n; ++e) row[e] = e;
    if (by_start)
      std::stable_sort(row.begin(), row.end(),
                       [&](std::int32_t e, std::int32_t f) { return times.start[e] < times.start[f]; });
    Ints place(n);
    for (std::int32_t e = 0; e < n; ++e) place[row[e]] = e;
    for (const std::int32_t e : row) {
      thread.push_back(original.thread[e]);
      op.push_back(original.op[e]);
      loc.push_back(original.loc[e]);
      order.push_back(original.order[e]);
      rf.push_back(original.rf[e] >= 0 && original.reads(e) ? place[original.rf[e]] : original.rf[e]);
    }
  }

  // Lines of operations that follow each other in time, as few as there are: rows come by their starts.
  Ints chains(const Times& times) const {
    Ints line(row.size());
    using Free = std::pair<std::int64_t, std::int32_t>;
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    std::int32_t lines = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::int32_t e = row[i];
      if (!free.empty() && times.begins(e) && free.top().first < times.start[e]) {
        line[i] = free.top().second;
        free.pop();
      } else {
        line[i] = lines++;
      }
      if (times.ends(e)) free.emplace(times.end[e], line[i]);
    }
    return line;
  }

  void add_moments(const Times& times, Memory memory, std::int32_t line) {
    const auto n = static_cast<std::int32_t>(row.size());
    Ints by_start, by_end;
    for (std::int32_t i = 0; i < n; ++i) {
      if (times.begins(row[i])) by_start.push_back(i);
      const bool lingers = memory == Memory::kTso && op[i] == kWrite;
      if (times.ends(row[i]) && !lingers) by_end.push_back(i);
    }
    std::stable_sort(by_start.begin(), by_start.end(),
                     [&](std::int32_t e, std::int32_t f) { return times.start[row[e]] < times.start[row[f]]; });
    std::stable_sort(by_end.begin(), by_end.end(),
                     [&](std::int32_t e, std::int32_t f) { return times.end[row[e]] < times.end[row[f]]; });
    std::size_t ended = 0;
    std::int32_t moment = -1;
    for (const std::int32_t f : by_start) {
      const std::size_t before = ended;
      while (ended < by_end.size() && times.end[row[by_end[ended]]] < times.start[row[f]]) ++ended;
      if (ended > before) {
        if (moment >= 0) edges.push_back({moment, n_rows(), Ground::kTime});
        moment = n_rows();
        for (std::size_t i = before; i < ended; ++i) edges.push_back({by_end[i], moment, Ground::kTime});
        add_moment(line);
      }
      if (moment >= 0) edges.push_back({moment, f, Ground::kTime});
    }
  }

  std::int32_t n_rows() const { return static_cast<std::int32_t>(thread.size()); }

  void add_moment(std::int32_t line) {
    row.push_back(-1);
    thread.push_back(line);
    op.push_back(kFence);
    loc.push_back(-1);
    order.push_back(kRlx);
    rf.push_back(kInitial);
  }
};

}  // namespace porf::interleaving
