// Times as logs have them: numbers, and dates with a time of day, which become seconds.
#pragma once

#include <string_view>

#include "formats/said.hpp"

namespace porf::logs {

// A moment: a number, `2024-05-01 12:30:00.250` (also with `T`, `,`, `Z` or `+02:00`), or a time of day alone.
formats::Wrong read_moment(std::string_view text, formats::Time& out);

// From when one moment is to when another is: both with the decimals of the finer one.
formats::Wrong span_of_moments(const formats::Time& start, const formats::Time& end, formats::Time& out);

}  // namespace porf::logs
