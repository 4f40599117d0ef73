// Times of rows, as numpy columns.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "bindings.hpp"
#include "times.hpp"

namespace porf::bindings {

// Starts and ends.
using TimeColumns = std::optional<std::pair<Column<std::int64_t>, Column<std::int64_t>>>;

inline Times times_of(const TimeColumns& columns, const Execution& x) {
  if (!columns) return {};
  const auto rows = static_cast<std::size_t>(x.size());
  if (columns->first.shape(0) != rows || columns->second.shape(0) != rows)
    throw std::invalid_argument("columns of different lengths");
  return {span_of(columns->first), span_of(columns->second)};
}

}  // namespace porf::bindings
