// See clock.hpp. A time of day that has no date counts from midnight, and no zone means none.
#include "logs/clock.hpp"

#include <algorithm>
#include <string>

namespace porf::logs {

namespace {

using formats::Fault;
using formats::Wrong;

// Days since 1970-01-01, by the civil calendar.
std::int64_t days_of(std::int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool digits(int count, int most, int& out) {
    out = 0;
    for (int i = 0; i < count; ++i) {
      if (at_ == text_.size() || text_[at_] < '0' || text_[at_] > '9') return false;
      out = out * 10 + (text_[at_++] - '0');
    }
    return out <= most;
  }
  bool take(std::string_view any) {
    if (at_ == text_.size() || any.find(text_[at_]) == any.npos) return false;
    ++at_;
    return true;
  }
  std::string_view fraction() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool looks_like_a_date() const { return text_.size() > 4 && text_[4] == '-'; }
  bool done() const { return at_ == text_.size(); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// The seconds and their fraction, if the text is such a time.
bool read_clock(std::string_view text, std::int64_t& seconds, std::string_view& fraction) {
  Reader reader(text);
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  if (reader.looks_like_a_date()) {
    const bool date = reader.digits(4, 9999, year) && reader.take("-") && reader.digits(2, 12, month) &&
                      reader.take("-") && reader.digits(2, 31, day) && reader.take("T ") && month > 0 && day > 0;
    if (!date) return false;
  }
  if (!reader.digits(2, 23, hour) || !reader.take(":") || !reader.digits(2, 59, minute) || !reader.take(":") ||
      !reader.digits(2, 60, second)) {
    return false;
  }
  if (reader.take(".,")) {
    fraction = reader.fraction();
    if (fraction.empty()) return false;
  }
  int zone_hours = 0, zone_minutes = 0, sign = 0;
  if (!reader.take("Z")) {
    sign = reader.take("+") ? 1 : reader.take("-") ? -1 : 0;
    if (sign != 0 && !reader.digits(2, 23, zone_hours)) return false;
    if (sign != 0 && !reader.done() && (reader.take(":"), !reader.digits(2, 59, zone_minutes))) return false;
  }
  if (!reader.done()) return false;
  seconds = ((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60 + second -
            sign * (zone_hours * 60 + zone_minutes) * 60;
  return true;
}

Wrong scale(std::int64_t& number, int from, int to) {
  for (; from < to; ++from) {
    if (number > INT64_MAX / 10 || number < -(INT64_MAX / 10)) return Fault::kLargeTime;
    number *= 10;
  }
  return std::nullopt;
}

}  // namespace

Wrong read_moment(std::string_view text, formats::Time& out) {
  const Wrong wrong = formats::read_time(text, out);
  if (!wrong || *wrong == Fault::kLargeTime) return wrong;
  std::int64_t seconds = 0;
  std::string_view fraction;
  if (!read_clock(text, seconds, fraction)) return Fault::kBadTime;
  // Times before 1970 with a fraction: -1 second and .25 is -0.75.
  const bool before = seconds < 0 && !fraction.empty();
  formats::Time part;
  std::string number = std::to_string(seconds);
  if (!fraction.empty()) number = "0." + std::string(fraction);
  if (const Wrong bad = formats::read_time(number, part)) return *bad == Fault::kBadTime ? Fault::kLargeTime : *bad;
  if (!fraction.empty()) {
    std::int64_t whole = seconds;
    if (const Wrong large = scale(whole, 0, part.decimals)) return large;
    if (!before && whole > INT64_MAX - part.start) return Fault::kLargeTime;
    part.start += whole;
  }
  part.end = part.start;
  out = part;
  return std::nullopt;
}

Wrong span_of_moments(const formats::Time& start, const formats::Time& end, formats::Time& out) {
  out = start;
  out.decimals = std::max(start.decimals, end.decimals);
  out.end = end.start;
  if (const Wrong wrong = scale(out.start, start.decimals, out.decimals)) return wrong;
  return scale(out.end, end.decimals, out.decimals);
}

}  // namespace porf::logs
