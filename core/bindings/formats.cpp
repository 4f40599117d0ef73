// The readers and writers of histories, for porf/formats.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>

#include "formats/columns.hpp"
#include "formats/json.hpp"
#include "formats/resolve.hpp"
#include "formats/text.hpp"
#include "formats/write.hpp"
#include "parsed.hpp"
#include "record.hpp"

namespace porf::bindings {

namespace {

using namespace formats;  // NOLINT: this file is only about them

using Rows = Column<std::int32_t>;
using Bytes = Column<std::uint8_t>;
using Values = Column<std::int64_t>;
using MutableRows = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MutableValues = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RowPair = std::array<Rows, 2>;

// What one line says, by names.
struct Initial {
  nb::str loc;                   // `*` for the others
  std::optional<nb::str> value;  // none: nobody knows
};
struct NamedEvent {
  nb::str thread;
  std::uint8_t op;
  std::optional<nb::str> loc;
  std::uint8_t order;
  std::optional<nb::str> read, written;  // values and times are words of the text format
  std::optional<nb::str> id, rf;
  std::vector<std::pair<int, nb::str>> mentions;
  std::vector<nb::str> tags;
  std::optional<nb::str> time;
  std::vector<std::pair<nb::str, nb::str>> notes;
};
using Line = std::variant<Fault, Initial, NamedEvent>;

struct ResolvedNames {
  std::optional<Fault> fault;
  Array<std::int32_t> rf;
  std::vector<Array<std::int32_t>> sources;
};

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// (bytes, offsets): the names by number, laid end to end.
PackedOut pack(const Names& names, std::span<const std::int32_t> numbers) {
  std::string bytes;
  std::vector<std::int64_t> offsets = {0};
  offsets.reserve(numbers.size() + 1);
  for (const std::int32_t number : numbers) {
    bytes.append(names[number]);
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  return {to_bytes(bytes), to_numpy(std::move(offsets))};
}

PackedOut pack(const Names& names) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(names.size()));
  for (std::int32_t i = 0; i < names.size(); ++i) all[i] = i;
  return pack(names, all);
}

template <typename T>
Array<T> filled(Large<T>& column, std::int64_t size, T empty) {
  if (!column.empty()) column.resize(static_cast<std::size_t>(size), empty);
  return to_numpy(std::move(column));
}

SaidOut columns_of(Said& said, std::int64_t rows, std::int64_t locations) {
  SaidOut out{.values = pack(said.values), .decimals = said.decimals};
  out.read_style = filled(said.read_style, rows, std::uint8_t{kDecimal});
  out.written_style = filled(said.written_style, rows, std::uint8_t{kDecimal});
  out.init_style = filled(said.init_style, locations, std::uint8_t{kDecimal});
  out.start = filled(said.start, rows, kNoValue);
  out.end = filled(said.end, rows, kNoValue);
  out.note_keys = pack(said.note_keys);
  out.note_texts = pack(said.note_texts);
  out.note_row = to_numpy(std::move(said.note_row));
  out.note_key = to_numpy(std::move(said.note_key));
  out.note_text = to_numpy(std::move(said.note_text));
  return out;
}

template <typename Body>
std::optional<Fault> caught(const Body& body) {
  try {
    body();
  } catch (const Fault& fault) {
    return fault;
  }
  return std::nullopt;
}

void parse(TextParser& parser, std::string_view text) {
  const std::int64_t bad = first_bad_utf8(text);
  // Whatever is wrong in the lines before is said first.
  parser.parse(bad < 0 ? text : text.substr(0, text.rfind('\n', static_cast<std::size_t>(bad)) + 1));
  if (bad >= 0) throw Fault{Fault::kNotUtf8, bad};
}

void parse(JsonParser& parser, std::string_view text) { parser.parse(text); }

}  // namespace

Parsed finished(Raw& raw, const std::optional<Fault>& parse_fault) {
  Parsed out{.parse_fault = parse_fault, .line = to_numpy(std::move(raw.line))};
  if (parse_fault) return out;
  raw.finish_starts();
  raw.defined_at.resize(static_cast<std::size_t>(raw.symbols.size()), -1);
  std::array<Reference, kDependencyKinds> lists;
  for (int k = 0; k < kDependencyKinds; ++k) lists[k] = {raw.mentions[k].symbol, raw.mentions[k].row};
  const Written written{raw.thread, raw.op, raw.loc, raw.read_value, raw.written_value, raw.init_value};
  Resolved resolved;
  out.resolve_fault = unlocked([&] {
    return caught([&] {
      resolved = resolve(written, raw.rf_symbol, raw.defined_at, lists);
      check_times(raw.thread, raw.said.start, raw.said.end);
    });
  });
  out.id_rows = to_numpy(std::move(raw.id_row));
  out.id_names = pack(raw.symbols, raw.id_symbol);
  if (out.resolve_fault) return out;
  out.said = columns_of(raw.said, raw.size(), static_cast<std::int64_t>(raw.init_value.size()));
  out.thread = to_numpy(std::move(raw.thread));
  out.op = to_numpy(std::move(raw.op));
  out.loc = to_numpy(std::move(raw.loc));
  out.order = to_numpy(std::move(raw.order));
  out.rf = to_numpy(std::move(resolved.rf));
  out.read_value = to_numpy(std::move(raw.read_value));
  out.written_value = to_numpy(std::move(raw.written_value));
  out.init_value = to_numpy(std::move(raw.init_value));
  out.thread_names = pack(raw.threads);
  out.loc_names = pack(raw.locations);
  if (!raw.tag.empty()) raw.tag.resize(out.op.shape(0), -1);
  out.tag = to_numpy(std::move(raw.tag));
  out.tag_names = pack(raw.tags);
  for (int k = 0; k < kDependencyKinds; ++k)
    out.dependencies.emplace_back(to_numpy(std::move(resolved.sources[k])), to_numpy(std::move(raw.mentions[k].row)));
  return out;
}

namespace {

// Block by block, so that Ctrl-C is heard in the middle of a large file. A fault of JSON says where the file
// ceases to be of the plain kind.
template <typename Parser>
Parsed parse_file(nb::bytes data, Parser parser) {
  constexpr std::size_t kBlock = std::size_t{1} << 23;
  const std::string_view text(data.c_str(), data.size());
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', std::min(begin + kBlock, text.size()));
    const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
    const auto block = text.substr(begin, end - begin);
    if (auto fault = unlocked([&] { return caught([&] { parse(parser, block); }); })) {
      fault->where += static_cast<std::int64_t>(begin);
      return finished(parser.raw(), fault);
    }
    Allowance::of_thread().look();
    begin = end;
  }
  return finished(parser.raw(), std::nullopt);
}

Parsed parse_text(nb::bytes data, std::vector<std::string> accesses, std::vector<std::string> fences) {
  return parse_file(std::move(data), TextParser({std::move(accesses), std::move(fences)}));
}

Parsed parse_jsonl(nb::bytes data) { return parse_file(std::move(data), JsonParser()); }

nb::str to_str(const Names& names, std::int32_t number) {
  const std::string_view name = names[number];
  return nb::str(name.data(), name.size());
}

nb::str to_str(const std::string& text) { return nb::str(text.data(), text.size()); }

// The word for the first value of a column, if it was recorded.
std::optional<nb::str> word(const Said& said, std::int64_t value, const Large<std::uint8_t>& styles) {
  if (value == kNoValue) return std::nullopt;
  return to_str(said.word({value, styles.empty() ? std::uint8_t{kDecimal} : styles[0]}));
}

std::optional<nb::str> start_word(const Said& said, const Value& value) {
  if (value.code == kNoValue) return std::nullopt;
  return to_str(said.word(value));
}

std::string time_word(std::int64_t start, std::int64_t end, int decimals) {
  std::string out;
  spell_time(out, start, decimals);
  if (start == end) return out;
  out += "..";
  if (end != kNoValue) spell_time(out, end, decimals);
  return out;
}

std::optional<Line> parse_line(nb::bytes line, std::vector<std::string> accesses, std::vector<std::string> fences) {
  TextParser parser({std::move(accesses), std::move(fences)});
  const Raw& raw = parser.raw();
  if (const auto fault = caught([&] { parse(parser, {line.c_str(), line.size()}); })) return *fault;
  if (raw.size() == 0) {
    if (raw.init_rest) return Initial{to_str(std::string(kRest)), start_word(raw.said, *raw.init_rest)};
    if (raw.init_value.empty()) return std::nullopt;
    return Initial{to_str(raw.locations, 0), word(raw.said, raw.init_value[0], raw.said.init_style)};
  }
  NamedEvent event{.thread = to_str(raw.threads, raw.thread[0]),
                   .op = raw.op[0],
                   .order = raw.order[0],
                   .read = word(raw.said, raw.read_value[0], raw.said.read_style),
                   .written = word(raw.said, raw.written_value[0], raw.said.written_style)};
  if (raw.loc[0] >= 0) event.loc = to_str(raw.locations, raw.loc[0]);
  if (!raw.id_symbol.empty()) event.id = to_str(raw.symbols, raw.id_symbol[0]);
  const std::int32_t rf = raw.rf_symbol[0];
  if (rf == kFromInit) event.rf = nb::str("init");
  if (rf == kFromAny) event.rf = to_str(std::string(kAny));
  if (rf >= 0) event.rf = to_str(raw.symbols, rf);
  for (int kind = 0; kind < kDependencyKinds; ++kind)
    for (const std::int32_t symbol : raw.mentions[kind].symbol)
      event.mentions.emplace_back(kind, to_str(raw.symbols, symbol));
  if (!raw.tag.empty()) event.tags.push_back(to_str(raw.tags, raw.tag[0]));
  if (!raw.said.start.empty()) event.time = to_str(time_word(raw.said.start[0], raw.said.end[0], raw.said.decimals));
  for (std::size_t at = 0; at < raw.said.note_row.size(); ++at) {
    event.notes.emplace_back(to_str(raw.said.note_keys, raw.said.note_key[at]),
                             to_str(raw.said.note_texts, raw.said.note_text[at]));
  }
  return event;
}

Written written(const Rows& thread, const Bytes& op, const Rows& loc, const Values& read, const Values& wrote,
                const Values& init) {
  return {span_of(thread), span_of(op), span_of(loc), span_of(read), span_of(wrote), span_of(init)};
}

// The rf column and the dependencies' sources, or a fault.
ResolvedNames resolve_names(Rows thread, Bytes op, Rows loc, Values read, Values wrote, Values init, Rows rf_symbol,
                            Rows defined_at, std::array<RowPair, kDependencyKinds> mentions) {
  std::array<Reference, kDependencyKinds> lists;
  for (int k = 0; k < kDependencyKinds; ++k) lists[k] = {span_of(mentions[k][0]), span_of(mentions[k][1])};
  Resolved resolved;
  const Written history = written(thread, op, loc, read, wrote, init);
  const auto fault = unlocked(
      [&] { return caught([&] { resolved = resolve(history, span_of(rf_symbol), span_of(defined_at), lists); }); });
  if (fault) return {.fault = fault};
  ResolvedNames out{.rf = to_numpy(std::move(resolved.rf))};
  for (auto& list : resolved.sources) out.sources.push_back(to_numpy(std::move(list)));
  return out;
}

// The rows whose writer is open, where each one's candidates end, and the candidates; or a fault.
using OpenRows = std::tuple<Array<std::int32_t>, Array<std::int64_t>, Array<std::int32_t>>;

std::variant<OpenRows, Fault> candidates_of(Rows thread, Bytes op, Rows loc, Values read, Values wrote, Values init,
                                            Rows rf) {
  const Written history = written(thread, op, loc, read, wrote, init);
  Candidates found;
  const auto fault = unlocked([&] { return caught([&] { found = candidates(history, span_of(rf)); }); });
  if (fault) return *fault;
  return OpenRows{to_numpy(std::move(found.row)), to_numpy(std::move(found.end)), to_numpy(std::move(found.writer))};
}

// Gives reads whose writer is open (-2) the only one that fits, where there is one.
std::optional<Fault> settle_rf(Rows thread, Bytes op, Rows loc, Values read, Values wrote, Values init,
                               MutableRows rf) {
  const Written history = written(thread, op, loc, read, wrote, init);
  return unlocked([&] { return caught([&] { settle(history, {rf.data(), rf.shape(0)}); }); });
}

std::variant<Array<std::int32_t>, Fault> writers_by_value(Rows thread, Bytes op, Rows loc, Values read, Values wrote,
                                                          Values init, Rows rf) {
  const Written history = written(thread, op, loc, read, wrote, init);
  Ints writers;
  const auto fault = unlocked([&] { return caught([&] { writers = determined_by_value(history, span_of(rf)); }); });
  if (fault) return *fault;
  return to_numpy(std::move(writers));
}

std::optional<Fault> check_npz(Rows thread, Bytes op, Rows loc, Bytes order, MutableRows rf, MutableValues read,
                               MutableValues wrote, Values init, std::int32_t threads) {
  const Columns columns{span_of(thread),
                        span_of(op),
                        span_of(loc),
                        span_of(order),
                        {rf.data(), rf.shape(0)},
                        {read.data(), read.shape(0)},
                        {wrote.data(), wrote.shape(0)},
                        span_of(init),
                        threads};
  return unlocked([&] { return caught([&] { check_columns(columns); }); });
}

std::optional<Fault> check_dependency(Rows thread, Rows from, Rows to) {
  return unlocked([&] { return caught([&] { check_pairs(span_of(thread), span_of(from), span_of(to)); }); });
}

// What a reader in Python hands over: words that are values.
std::int64_t code_of(Said& said, std::string_view word) {
  Value value;
  if (said.value(word, value)) throw nb::value_error("not a value");
  return value.code;
}

template <Large<std::uint8_t> Said::* kStyles>
std::int64_t code_at(Said& said, std::int64_t at, std::string_view word) {
  Value value;
  if (said.value(word, value)) throw nb::value_error("not a value");
  Said::set_style(said.*kStyles, at, value.style);
  return value.code;
}

std::variant<std::tuple<std::int64_t, std::int64_t, int>, Fault::Code> time_of(std::string_view token) {
  Time time;
  if (const Wrong wrong = read_time(token, time)) return *wrong;
  return std::tuple{time.start, time.end, time.decimals};
}

std::optional<Fault> check_time_columns(Rows thread, Values start, Values end) {
  return unlocked([&] { return caught([&] { check_times(span_of(thread), span_of(start), span_of(end)); }); });
}

using NamesIn = std::pair<nb::bytes, Values>;

formats::PackedNames names_of(const NamesIn& names) {
  return {{names.first.c_str(), names.first.size()}, span_of(names.second)};
}

// The first of a table's names that is no value by name, or that another has before; -1 if there is none.
std::int64_t first_bad_value_name(const NamesIn& names) {
  const formats::PackedNames all = names_of(names);
  return unlocked([&]() -> std::int64_t {
    Said said;
    for (std::int64_t at = 0; at + 1 < static_cast<std::int64_t>(all.offsets.size()); ++at) {
      Value value;
      const auto word = word_of(all[at]);
      if (!word || *word != all[at] || said.value(*word, value) || value.style != kDecimal ||
          value.code != kNamed + at) {
        return at;
      }
    }
    return -1;
  });
}

// The same of an execution, for the writer.
struct SaidIn {
  NamesIn values;
  Bytes read_style, written_style;
  Values start, end;
  int decimals = 0;
  NamesIn note_keys, note_texts;
  Rows note_row, note_key, note_text;
};

nb::bytes write_lines(bool json, Rows thread, Bytes op, Rows loc, Bytes order, Rows rf, Values read, Values wrote,
                      NamesIn threads, NamesIn locations, NamesIn ids, Rows id_rows,
                      std::array<RowPair, kDependencyKinds> dependencies, Rows tag, NamesIn tags, const SaidIn& said) {
  Printable history{{span_of(thread), span_of(op), span_of(loc), span_of(read), span_of(wrote), {}},
                    span_of(order),
                    span_of(rf),
                    names_of(threads),
                    names_of(locations),
                    names_of(ids),
                    span_of(id_rows),
                    {},
                    span_of(tag),
                    names_of(tags),
                    {names_of(said.values), span_of(said.read_style), span_of(said.written_style), span_of(said.start),
                     span_of(said.end), said.decimals, names_of(said.note_keys), names_of(said.note_texts),
                     span_of(said.note_row), span_of(said.note_key), span_of(said.note_text)}};
  for (int k = 0; k < kDependencyKinds; ++k) {
    history.dependencies[k] = {span_of(dependencies[k][0]), span_of(dependencies[k][1])};
  }
  return to_bytes(unlocked([&] { return json ? write_json(history) : write_text(history); }));
}

template <typename Class, typename... Members>
nb::class_<Class> parts(nb::module_& m, const char* name, Field<Members>... fields) {
  nb::class_<Class> bound(m, name);
  (bound.def_ro(fields.name, fields.member, nb::rv_policy::automatic), ...);
  return bound;
}

void bind_records(nb::module_& m) {
  parts<Fault>(m, "Fault", FIELD(Fault, code), FIELD(Fault, where), FIELD(Fault, width), FIELD(Fault, first),
               FIELD(Fault, second))
      .def(nb::init<Fault::Code, std::int64_t, std::int64_t, std::int64_t, std::int64_t>(), "code"_a, "where"_a = 0,
           "width"_a = 0, "first"_a = 0, "second"_a = 0);
  parts<Parsed>(m, "Parsed", FIELD(Parsed, parse_fault), FIELD(Parsed, resolve_fault), FIELD(Parsed, line),
                FIELD(Parsed, id_rows), FIELD(Parsed, thread), FIELD(Parsed, loc), FIELD(Parsed, rf), FIELD(Parsed, op),
                FIELD(Parsed, order), FIELD(Parsed, read_value), FIELD(Parsed, written_value),
                FIELD(Parsed, init_value), FIELD(Parsed, id_names), FIELD(Parsed, thread_names),
                FIELD(Parsed, loc_names), FIELD(Parsed, dependencies), FIELD(Parsed, tag), FIELD(Parsed, tag_names),
                FIELD(Parsed, said));
  parts<SaidOut>(m, "SaidColumns", FIELD(SaidOut, values), FIELD(SaidOut, read_style), FIELD(SaidOut, written_style),
                 FIELD(SaidOut, init_style), FIELD(SaidOut, start), FIELD(SaidOut, end), FIELD(SaidOut, decimals),
                 FIELD(SaidOut, note_keys), FIELD(SaidOut, note_texts), FIELD(SaidOut, note_row),
                 FIELD(SaidOut, note_key), FIELD(SaidOut, note_text));
  part<SaidIn>(m, "SaidAs", "What a writer says beside the graph.", FIELD(SaidIn, values), FIELD(SaidIn, read_style),
               FIELD(SaidIn, written_style), FIELD(SaidIn, start), FIELD(SaidIn, end), FIELD(SaidIn, decimals),
               FIELD(SaidIn, note_keys), FIELD(SaidIn, note_texts), FIELD(SaidIn, note_row), FIELD(SaidIn, note_key),
               FIELD(SaidIn, note_text));
  nb::class_<Said>(m, "Said", "What events say beside the graph, as a reader in Python meets it.")
      .def(nb::init<>())
      .def("value", &code_of, "word"_a, "The entry of a column of values for a word of the text format.")
      .def("read", &code_at<&Said::read_style>, "row"_a, "word"_a)
      .def("written", &code_at<&Said::written_style>, "row"_a, "word"_a)
      .def("initial", &code_at<&Said::init_style>, "loc"_a, "word"_a)
      .def("names", [](const Said& said) { return pack(said.values); })
      .def("time", [](Said& said, std::int32_t row, std::string_view word) { return said.time(row, word); })
      .def("note", [](Said& said, std::int32_t row, std::string_view key,
                      std::string_view text) { return said.note(row, key, text); })
      .def("finish",
           [](Said& said, std::int64_t rows, std::int64_t locations) { return columns_of(said, rows, locations); });
  parts<Initial>(m, "Initial", FIELD(Initial, loc), FIELD(Initial, value))
      .def(nb::init<nb::str, std::optional<nb::str>>(), "loc"_a, "value"_a.none());
  parts<NamedEvent>(m, "NamedEvent", FIELD(NamedEvent, thread), FIELD(NamedEvent, op), FIELD(NamedEvent, loc),
                    FIELD(NamedEvent, order), FIELD(NamedEvent, read), FIELD(NamedEvent, written),
                    FIELD(NamedEvent, id), FIELD(NamedEvent, rf), FIELD(NamedEvent, mentions), FIELD(NamedEvent, tags),
                    FIELD(NamedEvent, time), FIELD(NamedEvent, notes))
      .def(nb::init<nb::str, std::uint8_t, std::optional<nb::str>, std::uint8_t, std::optional<nb::str>,
                    std::optional<nb::str>, std::optional<nb::str>, std::optional<nb::str>,
                    std::vector<std::pair<int, nb::str>>, std::vector<nb::str>, std::optional<nb::str>,
                    std::vector<std::pair<nb::str, nb::str>>>(),
           "thread"_a, "op"_a, "loc"_a.none(), "order"_a, "read"_a.none(), "written"_a.none(), "id"_a.none(),
           "rf"_a.none(), "mentions"_a, "tags"_a, "time"_a.none(), "notes"_a);
  parts<ResolvedNames>(m, "ResolvedNames", FIELD(ResolvedNames, fault), FIELD(ResolvedNames, rf),
                       FIELD(ResolvedNames, sources));
}

}  // namespace

void bind_formats(nb::module_& m) {
  enumeration<Fault::Code, 96>(m, "FaultCode");
  bind_records(m);
  m.attr("BY_VALUE") = kByValue;
  m.attr("FROM_ANY") = kFromAny;
  m.attr("NAMED") = kNamed;
  m.attr("MOST_NAMED") = kMostNamed;
  m.def("read_time", &time_of, "token"_a, "A time's ends as whole numbers and their decimals, or a fault.");
  m.def("word_of", &word_of, "given"_a, "The word of the text format for a value that is a string, if there is one.");
  m.def("first_bad_value_name", &first_bad_value_name, "names"_a);
  m.def("is_utf8", [](const nb::bytes& text) { return first_bad_utf8({text.c_str(), text.size()}) < 0; });
  m.def("escaped", &escaped, "text"_a);
  m.def("check_times", &check_time_columns, "thread"_a, "start"_a, "end"_a);
  m.def("parse_text", &parse_text, "data"_a, "accesses"_a, "fences"_a,
        "The words are those that accesses and fences may say beyond their order, sorted.");
  m.def("parse_jsonl", &parse_jsonl);
  m.def("parse_line", &parse_line, "line"_a, "accesses"_a, "fences"_a);
  m.def("resolve_names", &resolve_names);
  m.def("writers_by_value", &writers_by_value);
  m.def("settle_rf", &settle_rf, "thread"_a, "op"_a, "loc"_a, "read"_a, "written"_a, "init"_a, "rf"_a,
        "Gives reads whose writer is open (-2) the only one that fits; a fault if none does.");
  m.def("candidates", &candidates_of, "thread"_a, "op"_a, "loc"_a, "read"_a, "written"_a, "init"_a, "rf"_a,
        "The rows whose writer is open, where the candidates of each end, and the candidates: rows, -1 for the start.");
  m.def("check_npz", &check_npz, "thread"_a, "op"_a, "loc"_a, "order"_a, "rf"_a, "read_value"_a, "written_value"_a,
        "init_value"_a, "threads"_a);
  m.def("check_dependency", &check_dependency);
  m.def("write_lines", &write_lines);
}

}  // namespace porf::bindings
