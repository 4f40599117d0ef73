// Values of 16 bytes, which neither registers nor events hold: each has a number, and equal ones have the same.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace porf::explore {

class Pairs {
 public:
  using Pair = std::pair<std::int64_t, std::int64_t>;  // the lower half first

  std::int64_t number(std::int64_t low, std::int64_t high) {
    auto [it, fresh] = numbers_.try_emplace({low, high}, static_cast<std::int64_t>(values_.size()));
    if (fresh) values_.push_back(it->first);
    return it->second;
  }

  // What is no number of a value is 0.
  Pair value(std::int64_t number) const {
    auto place = static_cast<std::uint64_t>(number);
    return place < values_.size() ? values_[place] : Pair{0, 0};
  }

 private:
  std::map<Pair, std::int64_t> numbers_{{{0, 0}, 0}};  // so 0 is 0
  std::vector<Pair> values_{{0, 0}};
};

}  // namespace porf::explore
