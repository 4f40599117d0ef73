// Vector clocks of threads and the views that writes publish, kept only while somebody may still need them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory.hpp"

namespace porf::coherence {

inline constexpr std::int32_t kNoRow = -1;

// Rows of `stride` clock entries with reference counts; freed rows are used again.
class RowPool {
 public:
  explicit RowPool(std::int32_t stride) : stride_(stride) {}

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
  std::int32_t* at(std::int32_t row) { return data_.data() + static_cast<std::size_t>(row) * stride_; }
  const std::int32_t* at(std::int32_t row) const {
    return data_.data() + static_cast<std::size_t>(row) * stride_;
  }

  void hold(std::int32_t row, std::int32_t count) { refs_[row] += count; }
  void drop(std::int32_t row) {
    if (--refs_[row] == 0) free_.push_back(row);
  }

  std::uint64_t bytes() const { return data_.capacity() * sizeof(std::int32_t); }

  void widen(std::int32_t stride) {
    Ints wider(refs_.size() * static_cast<std::size_t>(stride), 0);
    for (std::size_t row = 0; row < refs_.size(); ++row)
      std::copy_n(data_.data() + row * stride_, stride_, wider.data() + row * stride);
    data_ = std::move(wider);
    stride_ = stride;
  }

 private:
  std::int32_t stride_;
  Ints data_;
  Ints refs_;
  Ints free_;
};

// One clock a thread, in one block; grows when threads appear (a monitor does not know them beforehand).
class ClockTable {
 public:
  ClockTable(std::int32_t threads, std::int32_t stride)
      : stride_(stride), data_(static_cast<std::size_t>(threads) * stride, 0) {}

  std::int32_t* at(std::int32_t t) { return data_.data() + static_cast<std::size_t>(t) * stride_; }
  const std::int32_t* at(std::int32_t t) const {
    return data_.data() + static_cast<std::size_t>(t) * stride_;
  }

  void widen(std::int32_t threads, std::int32_t stride) {
    Ints wider(static_cast<std::size_t>(threads) * stride, 0);
    std::size_t old = stride_ == 0 ? 0 : data_.size() / stride_;
    for (std::size_t t = 0; t < old; ++t)
      std::copy_n(data_.data() + t * stride_, stride_, wider.data() + t * stride);
    data_ = std::move(wider);
    stride_ = stride;
  }

 private:
  std::int32_t stride_;
  Ints data_;
};

}  // namespace porf::coherence
