// Small executions written as one reads them, for tests, and a budget that is never spent.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "execution.hpp"

namespace porf::test {

// Rows are numbered in the order of the calls; a call gives its row back.
class History {
 public:
  std::int32_t read(std::int32_t thread, std::int32_t loc, std::int32_t rf, std::uint8_t order = kAcq) {
    return add(thread, kRead, loc, order, rf);
  }
  std::int32_t write(std::int32_t thread, std::int32_t loc, std::uint8_t order = kRel) {
    return add(thread, kWrite, loc, order, kInitial);
  }
  std::int32_t update(std::int32_t thread, std::int32_t loc, std::int32_t rf, std::uint8_t order = kAcqRel) {
    return add(thread, kUpdate, loc, order, rf);
  }
  void set_rf(std::int32_t row, std::int32_t writer) { rf_[row] = writer; }

  Execution view() const {
    Execution x;
    x.thread = thread_;
    x.op = op_;
    x.loc = loc_;
    x.order = order_;
    x.rf = rf_;
    x.threads = threads_;
    x.locations = locations_;
    return x;
  }

 private:
  std::int32_t add(std::int32_t thread, std::uint8_t op, std::int32_t loc, std::uint8_t order, std::int32_t rf) {
    thread_.push_back(thread);
    op_.push_back(op);
    loc_.push_back(loc);
    order_.push_back(order);
    rf_.push_back(rf);
    threads_ = std::max(threads_, thread + 1);
    locations_ = std::max(locations_, loc + 1);
    return static_cast<std::int32_t>(thread_.size()) - 1;
  }

  std::vector<std::int32_t> thread_, loc_, rf_;
  std::vector<std::uint8_t> op_, order_;
  std::int32_t threads_ = 0, locations_ = 0;
};

inline Budget unlimited() { return {0, 0, 0, nullptr}; }

template <typename Result>
bool consistent(const Result& result) {
  return result.answer == decltype(result.answer)::kConsistent;
}

template <typename Result>
bool undecided(const Result& result) {
  return result.answer == decltype(result.answer)::kUndecided;
}

// Message passing: x and y are 0 and 1. Is the read of x stale, though the read of y saw the flag?
inline History message_passing(std::uint8_t write_order, std::uint8_t read_order) {
  History h;
  h.write(0, 0, kRlx);
  const std::int32_t flag = h.write(0, 1, write_order);
  h.read(1, 1, flag, read_order);
  h.read(1, 0, kInitial, kRlx);
  return h;
}

// Store buffering: each thread writes its own location and reads the other's initial value.
inline History store_buffering() {
  History h;
  h.write(0, 0);
  h.read(0, 1, kInitial);
  h.write(1, 1);
  h.read(1, 0, kInitial);
  return h;
}

// Two reads of one location see its two writes, in this order, in two threads that disagree.
inline History disagreeing_readers() {
  History h;
  const std::int32_t a = h.write(0, 0), b = h.write(1, 0);
  h.read(2, 0, a);
  h.read(2, 0, b);
  h.read(3, 0, b);
  h.read(3, 0, a);
  return h;
}

}  // namespace porf::test
