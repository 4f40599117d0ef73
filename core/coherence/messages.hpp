// Vector clocks of threads and the views that writes publish, kept only while somebody may still need them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory.hpp"

namespace porf::coherence {

inline constexpr std::int32_t kNoRow = -1;

// Clocks in one block. It grows when threads appear (a monitor does not know them beforehand).
class ClockTable {
 public:
  ClockTable(std::int32_t rows, std::int32_t stride)
      : stride_(stride), data_(zeros(static_cast<std::size_t>(rows) * stride)) {}

  std::int32_t* at(std::int32_t row) { return data_.data() + static_cast<std::size_t>(row) * stride_; }
  const std::int32_t* at(std::int32_t row) const { return data_.data() + static_cast<std::size_t>(row) * stride_; }

  void widen(std::size_t rows, std::int32_t stride) {
    Ints wider = zeros(rows * stride);
    std::size_t old = stride_ == 0 ? 0 : data_.size() / stride_;
    for (std::size_t row = 0; row < old; ++row)
      std::copy_n(data_.data() + row * stride_, stride_, wider.data() + row * stride);
    data_ = std::move(wider);
    stride_ = stride;
  }

 protected:
  // Part by part: of many threads there are gigabytes.
  static Ints zeros(std::size_t count) {
    constexpr std::size_t kPart = std::size_t{1} << 20;
    Ints data;
    data.reserve(count);
    Toil toil;
    while (data.size() < count) {
      toil.demand(kPart);
      data.resize(std::min(count, data.size() + kPart), 0);
    }
    return data;
  }

  std::int32_t stride_;
  Ints data_;
};

// Clocks with reference counts; freed rows are used again.
class RowPool : public ClockTable {
 public:
  explicit RowPool(std::int32_t stride) : ClockTable(0, stride) {}

  std::int32_t take() {
    if (!free_.empty()) {
      std::int32_t row = free_.back();
      free_.pop_back();
      return row;
    }
    data_.resize(data_.size() + stride_);
    refs_.push_back(0);
    return static_cast<std::int32_t>(refs_.size()) - 1;
  }
  std::int32_t copy_of(const std::int32_t* clock) {
    std::int32_t row = take();
    std::copy_n(clock, stride_, at(row));
    return row;
  }

  void hold(std::int32_t row, std::int32_t count) { refs_[row] += count; }
  void drop(std::int32_t row) {
    if (--refs_[row] == 0) free_.push_back(row);
  }

  std::uint64_t bytes() const { return data_.capacity() * sizeof(std::int32_t); }

  void widen(std::int32_t stride) { ClockTable::widen(refs_.size(), stride); }

 private:
  Ints refs_;
  Ints free_;
};

}  // namespace porf::coherence
