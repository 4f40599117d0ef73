// The reader of logs, for porf/formats/logs.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include "logs/frame.hpp"
#include "logs/log.hpp"
#include "logs/objects.hpp"
#include "logs/separated.hpp"
#include "logs/templates.hpp"
#include "parsed.hpp"
#include "record.hpp"

namespace porf::bindings {

namespace {

using namespace logs;  // NOLINT: this file is only about them
using formats::Words;

using Place = std::tuple<std::int64_t, std::int64_t, bool>;

// What comes of reading a block: how many bytes of it are done with, or what is wrong in it.
using Done = std::variant<std::size_t, Fault>;

std::vector<Place> places(const Cells& cells, const char* start) {
  std::vector<Place> out;
  for (const Cell& cell : cells) {
    const auto begin = cell.there ? cell.place.data() - start : 0;
    out.emplace_back(begin, static_cast<std::int64_t>(cell.place.size()), cell.there);
  }
  return out;
}

Done read_block(Log& log, const nb::bytes& block, bool last) {
  const std::string_view text(block.c_str(), block.size());
  return unlocked([&]() -> Done {
    try {
      return log.read(text, last);
    } catch (const Fault& fault) {
      return fault;
    }
  });
}

// Where the cells of a line are; none if the line is wrong.
std::optional<std::vector<Place>> places_in(Log& log, const nb::bytes& line) {
  try {
    return places(log.places({line.c_str(), line.size()}), line.c_str());
  } catch (const WrongLine&) {
    return std::nullopt;
  }
}

std::vector<std::pair<Place, nb::bytes>> fields(char separator, const nb::bytes& line) {
  std::vector<std::pair<Place, nb::bytes>> out;
  for (const Cell& cell : SeparatedReader::fields(separator, {line.c_str(), line.size()})) {
    const Place place{cell.place.data() - line.c_str(), static_cast<std::int64_t>(cell.place.size()), true};
    out.emplace_back(place, nb::bytes(cell.text.data(), cell.text.size()));
  }
  return out;
}

// A column of a frame, with the arrays that it looks into.
struct HeldColumn {
  std::variant<Column<std::int64_t>, Column<std::uint64_t>, Column<double>, Column<std::int32_t>> values;
  std::pair<nb::bytes, Column<std::int64_t>> words;  // of a column of codes
  Column<std::uint8_t> missing;
};

FrameColumn look_into(const HeldColumn& held) {
  FrameColumn out;
  out.missing = span_of(held.missing);
  if (const auto* codes = std::get_if<Column<std::int32_t>>(&held.values)) {
    const auto& [bytes, offsets] = held.words;
    out.values = Coded{span_of(*codes), {{bytes.c_str(), bytes.size()}, span_of(offsets)}};
  }
  if (const auto* numbers = std::get_if<Column<std::int64_t>>(&held.values)) out.values = span_of(*numbers);
  if (const auto* numbers = std::get_if<Column<std::uint64_t>>(&held.values)) out.values = span_of(*numbers);
  if (const auto* numbers = std::get_if<Column<double>>(&held.values)) out.values = span_of(*numbers);
  return out;
}

std::optional<Fault> read_frame(Log& log, const std::vector<const HeldColumn*>& columns, std::int64_t rows) {
  std::vector<FrameColumn> looked;
  for (const HeldColumn* column : columns) looked.push_back(look_into(*column));
  Frame frame(std::move(looked));
  return unlocked([&]() -> std::optional<Fault> {
    try {
      log.read(frame, rows);
    } catch (const Fault& fault) {
      return fault;
    }
    return std::nullopt;
  });
}

std::unique_ptr<Log> made(std::unique_ptr<LineReader> reader, std::size_t cells, const Meaning& meaning) {
  return std::make_unique<Log>(std::move(reader), cells, meaning);
}

void bind_meaning(nb::module_& m) {
  enumeration<Role, kRoles>(m, "LogRole", nb::is_arithmetic(), "What a cell of a log is of an event.");
  enumeration<Numbers>(m, "LogNumbers", "How the texts of values are numbers.");
  enumeration<Piece::Kind>(m, "LogPieceKind", "What a piece of a template is.");
  m.attr("LEFT_OUT") = kLeftOut;
  m.attr("INITIAL_VALUE") = kInitialValue;
  part<Word>(m, "LogWord", "A word of a log, in small letters, and what it stands for.", FIELD(Word, word),
             FIELD(Word, op), FIELD(Word, order), FIELD(Word, tags));
  part<Words>(m, "LogTags", "The words of architectures, of accesses and of fences, sorted.", FIELD(Words, accesses),
              FIELD(Words, fences));
  part<Meaning>(m, "LogMeaning", "What the cells of a log mean.", FIELD(Meaning, cell_of), FIELD(Meaning, notes),
                FIELD(Meaning, ops), FIELD(Meaning, orders), FIELD(Meaning, tags), FIELD(Meaning, missing),
                FIELD(Meaning, numbers), FIELD(Meaning, comment), FIELD(Meaning, skip), FIELD(Meaning, may_be_bad),
                FIELD(Meaning, sort));
  part<Piece>(m, "LogPiece", "A piece of a template.", FIELD(Piece, kind), FIELD(Piece, text), FIELD(Piece, cell));
  part<Template>(m, "LogTemplate", "A way to write a line.", FIELD(Template, pieces), FIELD(Template, said));
  part<HeldColumn>(m, "FrameColumn", "A column of a table in memory.", FIELD(HeldColumn, values),
                   FIELD(HeldColumn, words), FIELD(HeldColumn, missing));
}

}  // namespace

void bind_logs(nb::module_& m) {
  bind_meaning(m);
  nb::class_<Log>(m, "Log", "A log that is being read.")
      .def_static(
          "separated",
          [](char separator, std::vector<std::int32_t> cell_of, std::int32_t width, std::size_t cells,
             const Meaning& meaning) {
            return made(std::make_unique<SeparatedReader>(separator, std::move(cell_of), width), cells, meaning);
          },
          "separator"_a, "cell_of"_a, "width"_a, "cells"_a, "meaning"_a)
      .def_static(
          "objects",
          [](std::vector<std::string> keys, const Meaning& meaning) {
            const std::size_t cells = keys.size();
            return made(std::make_unique<ObjectReader>(std::move(keys)), cells, meaning);
          },
          "keys"_a, "meaning"_a)
      .def_static(
          "templates",
          [](const std::vector<const Template*>& templates, bool others, std::string unless, std::size_t cells,
             const Meaning& meaning) {
            std::vector<Template> copies;
            for (const Template* one : templates) copies.push_back(*one);
            return made(std::make_unique<TemplateReader>(std::move(copies), others, std::move(unless)), cells, meaning);
          },
          "templates"_a, "others"_a, "unless"_a, "cells"_a, "meaning"_a)
      .def_static(
          "frame", [](std::size_t cells, const Meaning& meaning) { return made(nullptr, cells, meaning); }, "cells"_a,
          "meaning"_a)
      .def("read", &read_block, "block"_a, "last"_a, "How many bytes of the block are done with, or what is wrong.")
      .def("read_frame", &read_frame, "columns"_a, "rows"_a)
      .def("places", &places_in, "line"_a, "Of each cell: where it begins in a line, its width, whether it is there.")
      .def("initial", &Log::initial, "location"_a, "value"_a)
      .def("finish", [](Log& log) { return finished(log.finish(), std::nullopt); })
      .def_prop_ro("begins", &Log::begins, "Where the last line began in its block.")
      .def_prop_ro("line", &Log::line)
      .def_prop_ro("bad", &Log::bad, "How many lines were left out as wrong.")
      .def_prop_ro("first_bad", &Log::first_bad);
  m.def("log_fields", &fields, "separator"_a, "line"_a, "The fields of a line: their places, and what they say.");
}

}  // namespace porf::bindings
