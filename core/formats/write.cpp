// One loop over the events; the two spellings differ only in how a field is opened and a name is quoted.
#include "formats/write.hpp"

#include <algorithm>
#include <charconv>

#include "execution.hpp"

namespace porf::formats {

namespace {

constexpr std::array<std::string_view, 6> kOrders = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};
constexpr std::array<std::string_view, 4> kKinds = {"addr", "data", "ctrl", "lxsx"};
constexpr std::string_view kOps = "rwuf";

class Writer {
 public:
  Writer(const Printable& history, bool json) : h_(history), json_(json) {
    out_.reserve(static_cast<std::size_t>(h_.events.size()) * (json ? 72 : 28));
  }

  std::string run() {
    for (std::int32_t row = 0; row < h_.events.size(); ++row) {
      const std::uint8_t op = h_.events.op[row];
      if (json_) {
        json_head(row, op);
      } else {
        text_head(row, op);
      }
      if (h_.order[row] != kRlx) order(row);
      if (!h_.tag.empty() && h_.tag[row] >= 0) tags(h_.tags[h_.tag[row]]);
      if (next_id_ < h_.id_rows.size() && h_.id_rows[next_id_] == row) {
        field("id");
        out_ += h_.ids[static_cast<std::int64_t>(next_id_++)];
      }
      if ((op == kRead || op == kUpdate) && h_.rf[row] != kByValue) {
        field("rf");
        if (h_.rf[row] == kInitial || h_.rf[row] == kFromAny) {
          if (json_) out_ += '"';
          out_ += h_.rf[row] == kInitial ? "init" : kAny;
          if (json_) out_ += '"';
        } else {
          out_ += id_of(h_.rf[row]);
        }
      }
      for (int kind = 0; kind < kDependencyKinds; ++kind) dependencies(row, kind);
      if (!h_.said.start.empty() && h_.said.start[row] != kNoValue) time(row);
      notes(row);
      out_ += json_ ? "}\n" : "\n";
    }
    return std::move(out_);
  }

 private:
  static std::uint8_t at(std::span<const std::uint8_t> styles, std::int32_t row) {
    return styles.empty() ? std::uint8_t{kDecimal} : styles[row];
  }

  bool has_name(std::int64_t value) const {
    return value >= kNamed && value < kNamed + static_cast<std::int64_t>(h_.said.values.offsets.size()) - 1;
  }

  void number(std::int64_t value, std::uint8_t style) {
    if (value == kNoValue) {
      out_ += json_ ? "null" : "_";
      return;
    }
    const bool quoted = json_ && style != kDecimal;
    if (quoted) out_ += '"';
    spell(out_, {value, style}, has_name(value) ? h_.said.values[value - kNamed] : std::string_view{});
    if (quoted) out_ += '"';
  }

  void time(std::int32_t row) {
    const std::int64_t start = h_.said.start[row], end = h_.said.end[row];
    field("time");
    if (start == end) return spell_time(out_, start, h_.said.decimals);
    if (json_) out_ += '[';
    spell_time(out_, start, h_.said.decimals);
    out_ += json_ ? "," : "..";
    if (end != kNoValue) {
      spell_time(out_, end, h_.said.decimals);
    } else if (json_) {
      out_ += "null";
    }
    if (json_) out_ += ']';
  }

  void notes(std::int32_t row) {
    const PrintableSaid& said = h_.said;
    for (; next_note_ < said.note_row.size() && said.note_row[next_note_] == row; ++next_note_) {
      out_ += json_ ? ',' : ' ';
      out_ += said.note_keys[said.note_key[next_note_]];
      out_ += json_ ? ':' : '=';
      out_ += said.note_texts[said.note_text[next_note_]];
    }
  }

  void field(std::string_view key) {
    out_ += json_ ? ",\"" : " ";
    out_ += key;
    out_ += json_ ? "\":" : "=";
  }

  void text_head(std::int32_t row, std::uint8_t op) {
    out_ += h_.threads[h_.events.thread[row]];
    out_ += ' ';
    out_ += kOps[op];
    if (op == kFence) return;
    out_ += ' ';
    out_ += h_.locations[h_.events.loc[row]];
    out_ += ' ';
    if (op != kWrite) number(h_.events.read_value[row], at(h_.said.read_style, row));
    if (op == kUpdate) out_ += "->";
    if (op != kRead) number(h_.events.written_value[row], at(h_.said.written_style, row));
  }

  void json_head(std::int32_t row, std::uint8_t op) {
    out_ += "{\"thread\":";
    out_ += h_.threads[h_.events.thread[row]];
    out_ += ",\"op\":\"";
    out_ += kOps[op];
    out_ += '"';
    if (op == kFence) return;
    field("loc");
    out_ += h_.locations[h_.events.loc[row]];
    if (op != kWrite) value(op == kRead ? "value" : "read", h_.events.read_value[row], at(h_.said.read_style, row));
    if (op != kRead)
      value(op == kWrite ? "value" : "write", h_.events.written_value[row], at(h_.said.written_style, row));
  }

  void value(std::string_view key, std::int64_t value, std::uint8_t style) {
    if (value == kNoValue) return;
    field(key);
    number(value, style);
  }

  void order(std::int32_t row) {
    if (json_) {
      field("order");
      out_ += '"';
      out_ += kOrders[h_.order[row]];
      out_ += '"';
    } else {
      out_ += ' ';
      out_ += kOrders[h_.order[row]];
    }
  }

  void tags(std::string_view words) {
    if (json_) {
      field("tags");
    } else {
      out_ += ' ';
    }
    out_ += words;
  }

  std::string_view id_of(std::int32_t row) const {
    return h_.ids[std::lower_bound(h_.id_rows.begin(), h_.id_rows.end(), row) - h_.id_rows.begin()];
  }

  void dependencies(std::int32_t row, int kind) {
    const Pairs& pairs = h_.dependencies[kind];
    std::size_t& at = next_pair_[kind];
    if (at >= pairs.to.size() || pairs.to[at] != row) return;
    field(kKinds[kind]);
    if (json_) out_ += '[';
    for (bool first = true; at < pairs.to.size() && pairs.to[at] == row; ++at, first = false) {
      if (!first) out_ += ',';
      out_ += id_of(pairs.from[at]);
    }
    if (json_) out_ += ']';
  }

  const Printable& h_;
  const bool json_;
  std::string out_;
  std::size_t next_id_ = 0, next_note_ = 0;
  std::array<std::size_t, kDependencyKinds> next_pair_{};
};

}  // namespace

std::string write_text(const Printable& history) { return Writer(history, false).run(); }
std::string write_json(const Printable& history) { return Writer(history, true).run(); }

}  // namespace porf::formats
