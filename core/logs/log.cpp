// A line is looked at as a whole before anything of it is kept, so that a wrong one can be left out.
#include "logs/log.hpp"

#include <algorithm>

#include "allowance.hpp"
#include "execution.hpp"
#include "logs/clock.hpp"
#include "logs/separated.hpp"

namespace porf::logs {

using formats::kByValue;
using formats::kFromInit;
using formats::kNoValue;
using formats::Time;
using formats::Value;
using formats::Wrong;

namespace {

constexpr std::array<std::string_view, 10> kSucceeded = {"true",    "True", "TRUE",      "1",  "yes",
                                                         "success", "ok",   "succeeded", "OK", "T"};
constexpr std::array<std::string_view, 10> kFailed = {"false",   "False", "FALSE",  "0",    "no",
                                                      "failure", "fail",  "failed", "FAIL", "F"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

Log::Log(std::unique_ptr<LineReader> reader, std::size_t cells, Meaning meaning)
    : reader_(std::move(reader)),
      cells_(cells),
      meaning_(std::move(meaning)),
      ops_(meaning_.ops),
      orders_{Vocabulary(meaning_.orders), Vocabulary(meaning_.orders)} {}

std::size_t Log::read(std::string_view block, bool last) {
  start_ = block.data();
  const std::string_view text = last ? block : block.substr(0, block.rfind('\n') + 1);
  const char *at = start_, *stop = start_ + text.size();
  const auto bad_utf8 = [&](const char* from) {
    const std::int64_t bad = formats::first_bad_utf8(between(from, stop));
    return bad < 0 ? nullptr : from + bad;
  };
  const char* bad = bad_utf8(at);
  while (at < stop) {
    begins_ = static_cast<std::size_t>(at - start_);
    ++line_;
    Line line;
    const std::string_view rest = between(at, stop);
    const bool comment = !meaning_.comment.empty() && rest.starts_with(meaning_.comment);
    if (comment || meaning_.skip >= line_) {
      at = after_newline(at, stop);
      if (bad != nullptr && bad < at) bad = bad_utf8(at);
      continue;
    }
    try {
      line = reader_->read(rest, last, cells_);
      if (line.next == nullptr) {
        --line_;
        break;
      }
      if (bad != nullptr && bad < line.next) throw WrongLine{Fault::kNotUtf8, between(bad, bad + 1), line.next};
      if (line.event) event();
    } catch (const WrongLine& wrong) {
      leave_out(wrong);
      line.next = wrong.next != nullptr ? wrong.next : line.next != nullptr ? line.next : after_newline(at, stop);
    }
    line_ += line.newlines - 1;
    at = line.next;
    if (bad != nullptr && bad < at) bad = bad_utf8(at);
  }
  return static_cast<std::size_t>(at - start_);
}

void Log::read(Frame& frame, std::int64_t rows) {
  Toil toil;
  for (std::int64_t row = 0; row < rows; ++row) {
    toil.demand(8);
    ++line_;
    frame.read(static_cast<std::size_t>(row), cells_);
    try {
      event();
    } catch (const WrongLine& wrong) {
      const auto cell = std::find_if(cells_.begin(), cells_.end(),
                                     [&](const Cell& one) { return one.place.data() == wrong.place.data(); });
      if (bad_ == meaning_.may_be_bad) {
        throw Fault{wrong.code, cell == cells_.end() ? -1 : cell - cells_.begin(), 1, wrong.first};
      }
      leave_out(wrong);
    }
  }
}

const Cells& Log::places(std::string_view line) {
  reader_->read(line, true, cells_);
  return cells_;
}

// A wrong line that may be left out is counted, and one that may not be ends it all.
void Log::leave_out(const WrongLine& wrong) {
  if (bad_ == meaning_.may_be_bad) {
    const auto width = std::max<std::int64_t>(1, static_cast<std::int64_t>(wrong.place.size()));
    throw Fault{wrong.code, wrong.place.data() - start_, width, wrong.first};
  }
  if (bad_++ == 0) first_bad_ = line_;
}

const Cell* Log::cell(Role role) const {
  const std::int32_t number = meaning_.cell_of[static_cast<std::size_t>(role)];
  if (number < 0 || !cells_[number].there) return nullptr;
  return is_missing(cells_[number].text) ? nullptr : &cells_[number];
}

bool Log::is_missing(std::string_view text) const {
  return std::find(meaning_.missing.begin(), meaning_.missing.end(), text) != meaning_.missing.end();
}

// What every event must say. Where the cell says nothing, that is the place of the error; else the line.
const Cell& Log::need(Role role, Fault::Code code) const {
  if (const Cell* found = cell(role)) return *found;
  const std::int32_t number = meaning_.cell_of[static_cast<std::size_t>(role)];
  const bool empty = number >= 0 && cells_[number].there;
  throw WrongLine{code, empty ? cells_[number].place : between(start_ + begins_, start_ + begins_)};
}

void Log::event() {
  Event event;
  if (!op(event)) return;
  if (raw_.size() >= INT32_MAX) throw WrongLine{Fault::kTooManyEvents, {start_ + begins_, 1}};
  order(event);
  const Cell& thread = need(Role::kThread, Fault::kLogThread);
  const Cell* location = event.op == kFence ? nullptr : &need(Role::kLocation, Fault::kLogLocation);
  if (location != nullptr) values(event);
  event.time = time();
  references(event);
  const std::int32_t number =
      threads_.number(thread.text, [this](const std::string& name) { return raw_.threads.intern(name); });
  if (event.time && !meaning_.sort) check_clock(number, *event.time);
  push(number, location == nullptr ? -1 : location_of(location->text), event);
  beside(event);
}

// False if the operation is no event.
bool Log::op(Event& out) {
  const Cell& said = need(Role::kOp, Fault::kLogOp);
  word_ = ops_.find(said.text);
  if (word_ == nullptr) throw WrongLine{Fault::kLogUnknownOp, said.place};
  if (word_->op == kLeftOut) return false;
  if (word_->op == kInitialValue) {
    initial_line();
    return false;
  }
  out.op = static_cast<std::uint8_t>(word_->op);
  out.order = word_->order;
  out.tags = word_->tags;
  if (out.op == kUpdate && failed()) out.op = kRead;
  return true;
}

// Whether an update says that it did not succeed.
bool Log::failed() const {
  const Cell* success = cell(Role::kSuccess);
  if (success == nullptr || is_one_of(kSucceeded, success->text)) return false;
  if (!is_one_of(kFailed, success->text)) throw WrongLine{Fault::kLogUnknownResult, success->place};
  return true;
}

void Log::order(Event& out) {
  const Cell* said = cell(Role::kOrder);
  const bool fence = out.op == kFence;
  if (said != nullptr) {
    Vocabulary& known = orders_[fence ? 1 : 0];
    const Word* word = known.find(said->text);
    if (word == nullptr) {
      // Words of an architecture, with blanks between them.
      std::string tags;
      for (const Cell& one : SeparatedReader::fields(' ', said->text)) {
        if (!meaning_.tags.knows(one.text, fence)) throw WrongLine{Fault::kLogUnknownOrder, said->place};
        if (fence && !tags.empty()) throw WrongLine{Fault::kLogUnknownOrder, said->place};
        if (!tags.empty()) tags += ' ';
        tags += one.text;
      }
      word = known.add(said->text, {.word = {}, .tags = tags});
    }
    out.order = word->order;
    out.tags = word->tags;
  }
  // A fence that does not say what it is, is a full one.
  if (out.order < 0) out.order = fence && out.tags.empty() ? kSc : kRlx;
}

void Log::values(Event& out) {
  const Cell *both = cell(Role::kValue), *read = cell(Role::kRead), *written = cell(Role::kWritten);
  const std::size_t arrow = both == nullptr ? std::string_view::npos : both->text.find("->");
  const bool pair = arrow != std::string_view::npos && word_->op == kUpdate;  // also of one that has failed
  const Value first = pair ? value(*both, both->text.substr(0, arrow)) : Value{};
  if (out.op == kRead) out.read = pair && read == nullptr ? first : value(read != nullptr ? read : both);
  if (out.op == kWrite) out.written = value(written != nullptr ? written : both);
  if (out.op != kUpdate) return;
  if (pair) {
    out.read = first;
    out.written = value(*both, both->text.substr(arrow + 2));
  } else if (both != nullptr) {
    const bool reads = has(Role::kRead), writes = has(Role::kWritten);
    if (!reads && !writes) throw WrongLine{Fault::kLogOneValue, both->place};
    if (!reads) out.read = value(both);
    if (!writes) out.written = value(both);
  }
  if (read != nullptr) out.read = value(read);
  if (written != nullptr) out.written = value(written);
}

Value Log::value(const Cell* cell) { return cell == nullptr ? Value{} : value(*cell, cell->text); }

Value Log::value(const Cell& cell, std::string_view text) {
  Value out;
  if (is_missing(text)) return out;
  if (const Wrong wrong = value_of(text, out)) throw WrongLine{*wrong, cell.place};
  return out;
}

Wrong Log::value_of(std::string_view text, Value& out) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (meaning_.numbers == Numbers::kHex && !text.empty()) {
    const bool minus = text[0] == '-';
    std::string_view digits = text.substr(minus ? 1 : 0);
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    if (!digits.empty() && digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos) {
      return raw_.said.value((minus ? "-0x" : "0x") + std::string(digits), out);
    }
  } else if (meaning_.numbers == Numbers::kAuto && !text.empty() &&
             (digit(text[0]) || text[0] == '-' || text[0] == '+' || text[0] == '.')) {
    // A whole number that somebody kept as a fraction.
    const std::size_t point = text.find('.');
    if (point != text.npos && point > 0 && text.find_first_not_of('0', point + 1) == text.npos) {
      text = text.substr(0, point);
    }
    return raw_.said.value(text, out);
  }
  const auto word = formats::word_of(as_word(text));
  return word ? raw_.said.value(*word, out) : Wrong(Fault::kBadValue);
}

std::optional<Time> Log::time() const {
  const Cell *both = cell(Role::kTime), *start = cell(Role::kStart), *end = cell(Role::kEnd);
  if (both != nullptr) {
    Time out;
    // A list of JSON is START,END.
    const std::size_t comma = both->text.find(':') == both->text.npos ? both->text.find(',') : both->text.npos;
    std::string text(both->text);
    if (comma != both->text.npos) text.replace(comma, 1, "..");
    if (const Wrong wrong = read_moment(text, out)) throw WrongLine{*wrong, both->place};
    if (out.end != kNoValue && out.end < out.start) throw WrongLine{Fault::kTimeEndsEarly, both->place};
    return out;
  }
  if (start == nullptr && end == nullptr) return std::nullopt;
  if (start == nullptr) throw WrongLine{Fault::kLogStart, end->place};
  Time out = moment(*start);
  if (end == nullptr) {
    out.end = kNoValue;
    return out;
  }
  const Time begins = out;
  if (const Wrong wrong = span_of_moments(begins, moment(*end), out)) throw WrongLine{*wrong, end->place};
  if (out.end < out.start) throw WrongLine{Fault::kTimeEndsEarly, end->place};
  return out;
}

Time Log::moment(const Cell& cell) {
  Time out;
  if (const Wrong wrong = read_moment(cell.text, out)) throw WrongLine{*wrong, cell.place};
  if (out.start != out.end) throw WrongLine{Fault::kBadTime, cell.place};
  return out;
}

void Log::references(Event& out) {
  const Cell* rf = out.op == kRead || out.op == kUpdate ? cell(Role::kRf) : nullptr;
  if (rf != nullptr) {
    out.rf = rf->text == "init"          ? kFromInit
             : rf->text == formats::kAny ? formats::kFromAny
                                         : raw_.symbols.intern(as_word(rf->text));
  }
  const Cell* id = cell(Role::kId);
  if (id == nullptr) return;
  if (id->text == "init") throw WrongLine{Fault::kIdInit, id->place};
  if (id->text == formats::kAny) throw WrongLine{Fault::kBadId, id->place};
  out.id = raw_.symbols.intern(as_word(id->text));
  const auto known = static_cast<std::size_t>(out.id);
  if (known < raw_.defined_at.size() && raw_.defined_at[known] >= 0) {
    throw WrongLine{Fault::kDuplicateId, id->place, nullptr, raw_.line[raw_.defined_at[known]]};
  }
}

// A thread whose time runs backwards: each event starts no earlier than those before it.
void Log::check_clock(std::int32_t thread, const Time& time) const {
  const auto own = static_cast<std::size_t>(thread);
  if (own >= last_timed_.size() || last_timed_[own] < 0) return;
  Time before{.start = raw_.said.start[last_timed_[own]], .end = kNoValue, .decimals = raw_.said.decimals};
  before.end = before.start;
  Time both;
  if (span_of_moments(before, time, both)) return;  // out of range, which is said elsewhere
  if (both.end >= both.start) return;
  const Cell* place = cell(Role::kTime) != nullptr ? cell(Role::kTime) : cell(Role::kStart);
  throw WrongLine{Fault::kTimeRunsBackwards, place->place, nullptr, raw_.line[last_timed_[own]]};
}

std::int32_t Log::location_of(std::string_view text) {
  return locations_.number(text, [this](const std::string& name) { return raw_.location(name); });
}

void Log::push(std::int32_t thread, std::int32_t location, const Event& event) {
  raw_.thread.push_back(thread);
  raw_.op.push_back(event.op);
  raw_.loc.push_back(location);
  raw_.order.push_back(static_cast<std::uint8_t>(event.order));
  raw_.read_value.push_back(kNoValue);
  raw_.written_value.push_back(kNoValue);
  raw_.last_read(event.read);
  raw_.last_written(event.written);
  raw_.rf_symbol.push_back(event.rf);
  raw_.line.push_back(static_cast<std::int32_t>(line_));
}

// What an event says beside the graph, and whom it mentions.
void Log::beside(const Event& event) {
  const std::int32_t row = raw_.last_row();
  if (!event.tags.empty()) raw_.tag_last(event.tags);
  if (event.id >= 0) raw_.define(raw_.symbols[event.id]);
  if (event.time) {
    if (const Wrong wrong = raw_.said.time(row, *event.time)) {
      const Cell* place = cell(Role::kTime) != nullptr ? cell(Role::kTime) : cell(Role::kStart);
      throw Fault{*wrong, place->place.data() - start_, static_cast<std::int64_t>(place->place.size())};
    }
    const auto own = static_cast<std::size_t>(raw_.thread.back());
    if (own >= last_timed_.size()) last_timed_.resize(own + 1, -1);
    last_timed_[own] = row;
  }
  for (int kind = 0; kind < kDependencyKinds; ++kind) {
    const Cell* list = cell(static_cast<Role>(static_cast<int>(Role::kAddr) + kind));
    if (list == nullptr) continue;
    for (std::size_t at = 0; at < list->text.size();) {
      const std::size_t end = std::min(list->text.find_first_of(",; ", at), list->text.size());
      if (end > at) raw_.mention(kind, as_word(list->text.substr(at, end - at)));
      at = end + 1;
    }
  }
  for (const auto& [key, number] : meaning_.notes) {
    const Cell& said = cells_[number];
    if (said.there && !said.text.empty() && !is_missing(said.text)) raw_.said.note(row, key, said.text);
  }
}

// A line that says what a location starts with; one without a value, that nobody knows.
void Log::initial_line() {
  const Cell& location = need(Role::kLocation, Fault::kLogLocation);
  const Cell* said = cell(Role::kWritten) != nullptr ? cell(Role::kWritten) : cell(Role::kValue);
  if (!starts(location.text, value(said))) throw WrongLine{Fault::kDuplicateInit, location.place};
}

// False if something has said it before.
bool Log::starts(std::string_view location, const Value& start) {
  if (location == formats::kRest) return raw_.starts(location, start);
  const std::int32_t number = location_of(location);
  if (raw_.init_said[number] != 0) return false;
  raw_.initial(number, start);
  return true;
}

bool Log::initial(std::string_view location, std::string_view text) {
  Value start;
  if (!is_missing(text) && value_of(text, start)) return false;
  return starts(location, start);
}

}  // namespace porf::logs
