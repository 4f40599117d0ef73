// The readers and writers of histories, for porf/formats; a fault comes back as a tuple (code, where, width,
// a, b).
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "formats/columns.hpp"
#include "formats/json.hpp"
#include "formats/resolve.hpp"
#include "formats/text.hpp"
#include "formats/write.hpp"

namespace porf::bindings {

namespace {

using namespace formats;  // NOLINT: this file is only about them

using Rows = Column<std::int32_t>;
using Bytes = Column<std::uint8_t>;
using Values = Column<std::int64_t>;
using MutableRows = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MutableValues = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RowPair = std::array<Rows, 2>;
using Dict = nb::typed<nb::dict, nb::str, nb::any>;
using Tuple = nb::typed<nb::tuple, nb::any, nb::ellipsis>;
using FaultTuple = nb::typed<nb::tuple, nb::str, int, int, int, int>;

FaultTuple to_tuple(const Fault& fault) {
  return nb::make_tuple(fault.code, fault.where, fault.width, fault.a, fault.b);
}

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// (bytes, offsets): the names by number, laid end to end.
nb::tuple pack(const Names& names, const std::vector<std::int32_t>& numbers) {
  std::string bytes;
  std::vector<std::int64_t> offsets = {0};
  offsets.reserve(numbers.size() + 1);
  for (const std::int32_t number : numbers) {
    bytes.append(names[number]);
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  return nb::make_tuple(to_bytes(bytes), to_numpy(std::move(offsets)));
}

nb::tuple pack(const Names& names) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(names.size()));
  for (std::int32_t i = 0; i < names.size(); ++i) all[i] = i;
  return pack(names, all);
}

std::optional<Fault> parse(TextParser& parser, std::string_view text) {
  try {
    if (const std::int64_t bad = first_bad_utf8(text); bad >= 0) {
      // Whatever is wrong in the lines before is said first.
      parser.parse(text.substr(0, text.rfind('\n', static_cast<std::size_t>(bad)) + 1));
      throw Fault{"not-utf8", bad};
    }
    parser.parse(text);
  } catch (const Fault& fault) {
    return fault;
  }
  return std::nullopt;
}

// Block by block, so that Ctrl-C is heard in the middle of a large file.
template <typename Parse>
std::optional<Fault> in_blocks(std::string_view text, const Parse& parse_block) {
  constexpr std::size_t kBlock = std::size_t{1} << 23;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', std::min(begin + kBlock, text.size()));
    const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
    std::optional<Fault> fault;
    {
      nb::gil_scoped_release release;
      fault = parse_block(text.substr(begin, end - begin));
    }
    if (fault) {
      fault->where += static_cast<std::int64_t>(begin);
      return fault;
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    begin = end;
  }
  return std::nullopt;
}

Written written_of(const Raw& raw) {
  return {raw.thread, raw.op, raw.loc, raw.read_value, raw.written_value, raw.init_value};
}

// What a whole file says: the columns, or what is wrong with it.
Dict finished(Raw& raw, const std::optional<Fault>& parse_fault) {
  std::optional<Fault> resolve_fault;
  Resolved resolved;
  if (!parse_fault) {
    nb::gil_scoped_release release;
    raw.defined_at.resize(static_cast<std::size_t>(raw.symbols.size()), -1);
    std::array<Reference, kDependencyKinds> lists;
    for (int k = 0; k < kDependencyKinds; ++k) lists[k] = {raw.mentions[k].symbol, raw.mentions[k].row};
    try {
      resolved = resolve(written_of(raw), raw.rf_symbol, raw.defined_at, lists);
    } catch (const Fault& fault) {
      resolve_fault = fault;
    }
  }
  nb::dict out;
  out["parse_fault"] = parse_fault ? nb::object(to_tuple(*parse_fault)) : nb::none();
  out["resolve_fault"] = resolve_fault ? nb::object(to_tuple(*resolve_fault)) : nb::none();
  out["line"] = to_numpy(std::move(raw.line));
  if (parse_fault) return out;
  out["id_rows"] = to_numpy(std::move(raw.id_row));
  out["id_names"] = pack(raw.symbols, raw.id_symbol);
  if (resolve_fault) return out;
  out["thread"] = to_numpy(std::move(raw.thread));
  out["op"] = to_numpy(std::move(raw.op));
  out["loc"] = to_numpy(std::move(raw.loc));
  out["order"] = to_numpy(std::move(raw.order));
  out["rf"] = to_numpy(std::move(resolved.rf));
  out["read_value"] = to_numpy(std::move(raw.read_value));
  out["written_value"] = to_numpy(std::move(raw.written_value));
  out["init_value"] = to_numpy(std::move(raw.init_value));
  out["thread_names"] = pack(raw.threads);
  out["loc_names"] = pack(raw.locations);
  nb::list dependencies;
  for (int k = 0; k < kDependencyKinds; ++k) {
    dependencies.append(
        nb::make_tuple(to_numpy(std::move(resolved.sources[k])), to_numpy(std::move(raw.mentions[k].row))));
  }
  out["dependencies"] = dependencies;
  return out;
}

Dict parse_text(nb::bytes data) {
  TextParser parser;
  const std::optional<Fault> fault =
      in_blocks({data.c_str(), data.size()}, [&](std::string_view block) { return parse(parser, block); });
  return finished(parser.raw(), fault);
}

// A parse fault says where the file stops to be of the plain kind.
Dict parse_jsonl(nb::bytes data) {
  JsonParser parser;
  const auto fault =
      in_blocks({data.c_str(), data.size()}, [&](std::string_view block) -> std::optional<Fault> {
        try {
          parser.parse(block);
        } catch (const Fault& found) {
          return found;
        }
        return std::nullopt;
      });
  return finished(parser.raw(), fault);
}

nb::object to_str(const Names& names, std::int32_t number) {
  if (number < 0) return nb::none();
  const std::string_view name = names[number];
  return nb::str(name.data(), name.size());
}

// What one line says, by names: None, ("fault", …), ("init", loc, value) or ("event", …).
std::optional<Tuple> parse_line(nb::bytes line) {
  TextParser parser;
  const Raw& raw = parser.raw();
  if (const auto fault = parse(parser, {line.c_str(), line.size()})) {
    return nb::make_tuple("fault", to_tuple(*fault));
  }
  if (raw.size() == 0) {
    if (raw.init_value.empty()) return std::nullopt;
    return nb::make_tuple("init", to_str(raw.locations, 0), raw.init_value[0]);
  }
  nb::list mentions;
  for (int kind = 0; kind < kDependencyKinds; ++kind) {
    for (const std::int32_t symbol : raw.mentions[kind].symbol) {
      mentions.append(nb::make_tuple(kind, to_str(raw.symbols, symbol)));
    }
  }
  const std::int32_t rf = raw.rf_symbol[0];
  return nb::make_tuple(
      "event", to_str(raw.threads, raw.thread[0]), raw.op[0], to_str(raw.locations, raw.loc[0]), raw.order[0],
      raw.read_value[0], raw.written_value[0],
      to_str(raw.symbols, raw.id_symbol.empty() ? -1 : raw.id_symbol[0]),
      rf == kFromInit ? nb::object(nb::str("init")) : to_str(raw.symbols, rf), nb::tuple(mentions));
}

Written written(const Rows& thread, const Bytes& op, const Rows& loc, const Values& read, const Values& wrote,
                const Values& init) {
  return {span_of(thread), span_of(op), span_of(loc), span_of(read), span_of(wrote), span_of(init)};
}

// The rf column and the dependencies' sources, or a fault.
Tuple resolve_names(Rows thread, Bytes op, Rows loc, Values read, Values wrote, Values init, Rows rf_symbol,
                    Rows defined_at, std::array<RowPair, kDependencyKinds> mentions) {
  std::array<Reference, kDependencyKinds> lists;
  for (int k = 0; k < kDependencyKinds; ++k) lists[k] = {span_of(mentions[k][0]), span_of(mentions[k][1])};
  Resolved resolved;
  try {
    nb::gil_scoped_release release;
    resolved =
        resolve(written(thread, op, loc, read, wrote, init), span_of(rf_symbol), span_of(defined_at), lists);
  } catch (const Fault& fault) {
    return nb::make_tuple(to_tuple(fault), nb::none(), nb::none());
  }
  nb::list sources;
  for (auto& list : resolved.sources) sources.append(to_numpy(std::move(list)));
  return nb::make_tuple(nb::none(), to_numpy(std::move(resolved.rf)), nb::tuple(sources));
}

auto writers_by_value(Rows thread, Bytes op, Rows loc, Values read, Values wrote, Values init) {
  std::vector<std::int32_t> writers;
  {
    nb::gil_scoped_release release;
    writers = determined_by_value(written(thread, op, loc, read, wrote, init));
  }
  return to_numpy(std::move(writers));
}

template <typename Check>
std::optional<FaultTuple> fault_of(const Check& check) {
  try {
    nb::gil_scoped_release release;
    check();
  } catch (const Fault& fault) {
    return to_tuple(fault);
  }
  return std::nullopt;
}

std::optional<FaultTuple> check_npz(Rows thread, Bytes op, Rows loc, Bytes order, MutableRows rf,
                                    MutableValues read, MutableValues wrote, Values init,
                                    std::int32_t threads) {
  const Columns columns{span_of(thread),
                        span_of(op),
                        span_of(loc),
                        span_of(order),
                        {rf.data(), rf.shape(0)},
                        {read.data(), read.shape(0)},
                        {wrote.data(), wrote.shape(0)},
                        span_of(init),
                        threads};
  return fault_of([&] { check_columns(columns); });
}

std::optional<FaultTuple> check_dependency(Rows thread, Rows from, Rows to) {
  return fault_of([&] { check_pairs(span_of(thread), span_of(from), span_of(to)); });
}

using NamesIn = std::pair<nb::bytes, Values>;

formats::PackedNames names_of(const NamesIn& names) {
  return {{names.first.c_str(), names.first.size()}, span_of(names.second)};
}

nb::bytes write_lines(bool json, Rows thread, Bytes op, Rows loc, Bytes order, Rows rf, Values read,
                      Values wrote, NamesIn threads, NamesIn locations, NamesIn ids, Rows id_rows,
                      std::array<RowPair, kDependencyKinds> dependencies) {
  Printable history{{span_of(thread), span_of(op), span_of(loc), span_of(read), span_of(wrote), {}},
                    span_of(order),
                    span_of(rf),
                    names_of(threads),
                    names_of(locations),
                    names_of(ids),
                    span_of(id_rows),
                    {}};
  for (int k = 0; k < kDependencyKinds; ++k) {
    history.dependencies[k] = {span_of(dependencies[k][0]), span_of(dependencies[k][1])};
  }
  std::string out;
  {
    nb::gil_scoped_release release;
    out = json ? write_json(history) : write_text(history);
  }
  return to_bytes(out);
}

}  // namespace

void bind_formats(nb::module_& m) {
  m.def("parse_text", &parse_text);
  m.def("parse_jsonl", &parse_jsonl);
  m.def("parse_line", &parse_line);
  m.def("resolve_names", &resolve_names);
  m.def("writers_by_value", &writers_by_value);
  m.def("check_npz", &check_npz, "thread"_a, "op"_a, "loc"_a, "order"_a, "rf"_a, "read_value"_a,
        "written_value"_a, "init_value"_a, "threads"_a);
  m.def("check_dependency", &check_dependency);
  m.def("write_lines", &write_lines);
}

}  // namespace porf::bindings
