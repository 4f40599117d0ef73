// The partial SC order of RC11: an order of the SC events alone, kept transitively closed as clocks, since the SC
// events of a thread are in program order. An edge that would close a cycle is refused; everything can be taken back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/graph.hpp"

namespace porf::explore {

class PartialSc {
 public:
  struct Node {
    std::int32_t event = -1;
    std::int32_t thread = 0;
    std::int32_t place = 0;  // among the SC events of its thread
    bool fence = false;
  };

  void clear(std::int32_t threads) {
    threads_ = static_cast<std::size_t>(threads);
    nodes_.clear();
    rows_.clear();
    trail_.clear();
    saved_.clear();
    of_thread_.resize(threads_);
    for (auto& line : of_thread_) line.clear();
    gain_.assign(threads_, 0);
  }

  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  const Node& operator[](std::int32_t n) const { return nodes_[static_cast<std::size_t>(n)]; }
  // The SC event of a thread that has so many before it.
  std::int32_t at(std::size_t thread, std::int32_t place) const {
    return of_thread_[thread][static_cast<std::size_t>(place)];
  }

  // A new SC event, after those of its thread.
  std::int32_t add(std::int32_t event, std::int32_t thread, bool fence) {
    auto& line = of_thread_[static_cast<std::size_t>(thread)];
    std::int32_t n = size();
    nodes_.push_back({event, thread, static_cast<std::int32_t>(line.size()), fence});
    rows_.resize(rows_.size() + threads_);
    if (line.empty())
      std::fill_n(row(n), threads_, Clock{0});
    else
      std::copy_n(row(line.back()), threads_, row(n));
    row(n)[thread] = static_cast<Clock>(line.size());
    line.push_back(n);
    return n;
  }

  // Takes back the SC event that was added last; its edges are undone already.
  void remove() {
    of_thread_[static_cast<std::size_t>(nodes_.back().thread)].pop_back();
    nodes_.pop_back();
    rows_.resize(rows_.size() - threads_);
  }

  bool before(std::int32_t a, std::int32_t b) const { return row(b)[nodes_[a].thread] > nodes_[a].place; }

  // An edge to an event that nothing follows yet, and which is not part of what is taken back on its own.
  void follow(std::int32_t a, std::int32_t newest) {
    if (before(a, newest)) return;
    Clock* to = row(newest);
    const Clock* from = row(a);
    for (std::size_t t = 0; t < threads_; ++t) to[t] = std::max(to[t], from[t]);
    to[nodes_[a].thread] = std::max(to[nodes_[a].thread], static_cast<Clock>(nodes_[a].place + 1));
  }

  // Edges from the last SC events that a clock counts. False if there would be a cycle; what was changed stays until it
  // is undone.
  bool link(const Clock* sources, std::int32_t b) {
    bool news = false;
    std::fill(gain_.begin(), gain_.end(), Clock{0});
    for (std::size_t t = 0; t < threads_; ++t) {
      if (sources[t] == 0) continue;
      std::int32_t a = of_thread_[t][sources[t] - 1];
      if (a == b || before(b, a)) return false;
      if (before(a, b)) continue;
      news = true;
      const Clock* from = row(a);
      for (std::size_t u = 0; u < threads_; ++u) gain_[u] = std::max(gain_[u], from[u]);
      gain_[t] = std::max(gain_[t], sources[t]);
    }
    if (!news) return true;
    raise(b);
    for (const auto& line : of_thread_)
      for (std::size_t i = line.size(); i-- > 0 && before(b, line[i]);) raise(line[i]);
    return true;
  }

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      std::copy_n(saved_.end() - static_cast<std::ptrdiff_t>(threads_), threads_, row(trail_.back()));
      saved_.resize(saved_.size() - threads_);
      trail_.pop_back();
    }
  }

 private:
  Clock* row(std::int32_t n) { return rows_.data() + static_cast<std::size_t>(n) * threads_; }
  const Clock* row(std::int32_t n) const { return rows_.data() + static_cast<std::size_t>(n) * threads_; }

  void raise(std::int32_t n) {
    Clock* to = row(n);
    bool same = true;
    for (std::size_t t = 0; t < threads_; ++t) same &= to[t] >= gain_[t];
    if (same) return;
    trail_.push_back(n);
    saved_.insert(saved_.end(), to, to + threads_);
    for (std::size_t t = 0; t < threads_; ++t) to[t] = std::max(to[t], gain_[t]);
  }

  std::size_t threads_ = 0;
  std::vector<Node> nodes_;
  std::vector<Clock> rows_;  // node, thread -> how many of the thread's SC events are before it
  std::vector<std::vector<std::int32_t>> of_thread_;
  std::vector<std::int32_t> trail_;  // whose rows have changed,
  std::vector<Clock> saved_;         // and what they were
  std::vector<Clock> gain_;          // scratch
};

}  // namespace porf::explore
