// The parsers on good and bad bytes: columns, the code of the first fault, and its place.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "execution.hpp"
#include "formats/json.hpp"
#include "formats/resolve.hpp"
#include "formats/text.hpp"
#include "generate/random.hpp"

using namespace porf;
using namespace porf::formats;

namespace {

constexpr const char* kHistory =
    "# a comment\n"
    "T0 w x 1 rel id=a\n"
    "T1 u x 1->0x2 acq_rel rf=a id=b\r\n"
    "\n"
    "T1 f sc\n"
    "T0 r x 2 acq   data=b  # and another\n"
    "init x -7";

constexpr const char* kSameHistory =
    R"({"thread":"T0","op":"w","loc":"x","value":1,"order":"rel","id":"a"}
{"thread":"T1","op":"update","loc":"x","read":1,"write":2,"order":"acq_rel","rf":"a","id":"b"}
{"thread":"T1","op":"f","order":"sc"}
{"thread":"T0","op":"r","loc":"x","value":2,"order":"acq","data":["b"]}
{"init":"x","value":-7})";

template <typename Parser>
Raw parsed(std::string_view text) {
  Parser parser;
  parser.parse(text);
  return std::move(parser.raw());
}

Fault fault_of(std::string_view text) {
  try {
    parsed<TextParser>(text);
  } catch (const Fault& fault) {
    return fault;
  }
  return {};
}

Resolved resolved(const Raw& raw) {
  std::array<Reference, kDependencyKinds> dependencies;
  for (int kind = 0; kind < kDependencyKinds; ++kind)
    dependencies[kind] = {raw.mentions[kind].symbol, raw.mentions[kind].row};
  porf::Ints defined = raw.defined_at;
  defined.resize(raw.symbols.size(), -1);
  return resolve({raw.thread, raw.op, raw.loc, raw.read_value, raw.written_value, raw.init_value}, raw.rf_symbol,
                 defined, dependencies);
}

}  // namespace

TEST_CASE("text and JSON Lines give the same columns") {
  const Raw text = parsed<TextParser>(kHistory), json = parsed<JsonParser>(kSameHistory);
  for (const Raw* raw : {&text, &json}) {
    CHECK(raw->thread == porf::Ints{0, 1, 1, 0});
    CHECK(raw->op == porf::Large<std::uint8_t>{porf::kWrite, porf::kUpdate, porf::kFence, porf::kRead});
    CHECK(raw->order == porf::Large<std::uint8_t>{porf::kRel, porf::kAcqRel, porf::kSc, porf::kAcq});
    CHECK(raw->loc == porf::Ints{0, 0, -1, 0});
    CHECK(raw->read_value == porf::Large<std::int64_t>{kNoValue, 1, kNoValue, 2});
    CHECK(raw->written_value == porf::Large<std::int64_t>{1, 2, kNoValue, kNoValue});
    CHECK(raw->init_value == porf::Large<std::int64_t>{-7});
    CHECK(raw->threads.size() == 2);
    CHECK(raw->threads[1] == "T1");
    CHECK(raw->mentions[1].row == porf::Ints{3});
  }
  CHECK(text.line == porf::Ints{2, 3, 5, 6});
}

TEST_CASE("values alone decide who is read, where only one write has it") {
  const Raw raw = parsed<TextParser>("T0 w x 1\nT1 r x 1\nT1 r y 0\nT2 u x 0->5 rf=init\nT3 r x 5\n");
  CHECK(resolved(raw).rf[1] == 0);
  CHECK(resolved(raw).rf[2] == porf::kInitial);
  CHECK(resolved(raw).rf[3] == porf::kInitial);
  CHECK(resolved(raw).rf[4] == 3);
}

TEST_CASE("where several writes have the value, the writer is open") {
  const Raw raw = parsed<TextParser>("T0 w x 1 id=a\nT0 w x 1\nT1 r x 1\nT1 r x 1 rf=a\n");
  CHECK(resolved(raw).rf[2] == porf::formats::kOpen);
  CHECK(resolved(raw).rf[3] == 0);
}

TEST_CASE("what cannot be resolved names the row") {
  for (const auto& [text, row] : std::vector<std::pair<std::string, std::int64_t>>{
           {"T0 w x 1\nT1 r x 3\n", 1},                    // nobody writes it
           {"T0 w x 1 id=a\nT0 w x 1\nT1 r x 1 rf=b", 2},  // unknown name
           {"T0 w y 1 id=a\nT1 r x 1 rf=a", 1},            // another location
           {"T0 r x 0 id=a\nT1 w x 1 data=a\n", 1},        // another thread
       }) {
    INFO(text);
    const Raw raw = parsed<TextParser>(text);
    bool thrown = false;
    try {
      resolved(raw);
    } catch (const Fault& fault) {
      thrown = true;
      CHECK(fault.where == row);
    }
    CHECK(thrown);
  }
}

TEST_CASE("each fault of the text format has its code and its place") {
  struct Case {
    const char* text;
    Fault::Code code;
    std::int64_t where;
  };
  for (const Case& c : std::vector<Case>{
           {"T0", Fault::kMissingOp, 2},
           {"T0 q x 1", Fault::kUnknownOp, 3},
           {"T0 w", Fault::kMissingLocation, 4},
           {"T0 w x", Fault::kMissingValue, 6},
           {"T0 w x rlx", Fault::kValueExpected, 7},
           {"T0 w x 1z", Fault::kBadValue, 7},
           {"T0 w x 18446744073709551616", Fault::kLargeValue, 7},
           {"T0 w x 1->2", Fault::kExtraArrow, 7},
           {"T0 u x 1", Fault::kMissingArrow, 7},
           {"T0 u x ->1", Fault::kHalfArrow, 7},
           {"T0 w x 1 strong", Fault::kUnknownOrder, 9},
           {"T0 w x 1 rel rel", Fault::kSecondOrder, 13},
           {"T0 w x 1 id=a rel", Fault::kLateOrder, 14},
           {"T0 w x 1 key=a", Fault::kUnknownKey, 9},
           {"T0 w x 1 id=", Fault::kEmptyKey, 9},
           {"T0 w x 1 id=a id=b", Fault::kRepeatedKey, 14},
           {"T0 w x 1 id=init", Fault::kIdInit, 12},
           {"T0 w x 1 rf=a", Fault::kRfWithoutRead, 9},
           {"T0 w x 1 id=a\nT1 w x 2 id=a", Fault::kDuplicateId, 26},
           {"T0 r x 1 data=a,,b", Fault::kEmptyItem, 16},
           {"init x", Fault::kMissingInitValue, 6},
           {"init x 1\ninit x 1", Fault::kDuplicateInit, 14},
           {"init x 1 2", Fault::kExtraInInit, 9},
       }) {
    INFO(c.text);
    const Fault fault = fault_of(c.text);
    CHECK(fault.code == c.code);
    CHECK(fault.where == c.where);
  }
}

TEST_CASE("broken bytes are faults or columns of one length, never more than that") {
  porf::generate::Random random(5);
  int faults = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = round % 2 ? kSameHistory : kHistory;
    for (std::uint32_t i = 1 + random.below(3); i-- > 0;) {
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(text.size()));
      if (random.chance(0.3))
        text.erase(at);
      else
        text[at] = static_cast<char>(random.below(256));
      if (text.empty()) text = " ";
    }
    try {
      const Raw raw = round % 2 ? parsed<JsonParser>(text) : parsed<TextParser>(text);
      CHECK(raw.op.size() == raw.thread.size());
      CHECK(raw.loc.size() == raw.thread.size());
      CHECK(raw.rf_symbol.size() == raw.thread.size());
    } catch (const Fault& fault) {
      ++faults;
      CHECK(fault.where >= 0);
      CHECK(fault.where <= static_cast<std::int64_t>(text.size()));
    }
  }
  CHECK(faults > 1000);
}

TEST_CASE("UTF-8: the first bad byte") {
  CHECK(first_bad_utf8("plain, and longer than a word") == -1);
  CHECK(first_bad_utf8("tunç \xE2\x88\xAA \xF0\x9F\x99\x82") == -1);
  CHECK(first_bad_utf8("overlong \xC0\xAF") == 9);
  CHECK(first_bad_utf8("surrogate \xED\xA0\x80") == 10);
  CHECK(first_bad_utf8("too high \xF4\x90\x80\x80") == 9);
  CHECK(first_bad_utf8("cut \xE2\x88") == 4);
}
