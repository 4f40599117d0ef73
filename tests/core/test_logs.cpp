// The readers of logs: where blocks end does not matter, and no bytes are too strange for any shape of lines.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "generate/random.hpp"
#include "logs/clock.hpp"
#include "logs/log.hpp"
#include "logs/objects.hpp"
#include "logs/separated.hpp"
#include "logs/templates.hpp"

using namespace porf;
using namespace porf::logs;

namespace {

// Cells: thread, operation, location, value, time.
Meaning meaning(std::int64_t may_be_bad) {
  Meaning out;
  out.cell_of.fill(-1);
  const Role roles[] = {Role::kThread, Role::kOp, Role::kLocation, Role::kValue, Role::kTime};
  for (int cell = 0; cell < 5; ++cell) out.cell_of[static_cast<std::size_t>(roles[cell])] = cell;
  out.ops = {{"r", 0, -1, ""}, {"w", 1, -1, ""}, {"u", 2, -1, ""}, {"f", 3, -1, ""}, {"init", kInitialValue, -1, ""}};
  out.missing = {"", "_"};
  out.comment = "#";
  out.may_be_bad = may_be_bad;
  return out;
}

struct Kind {
  std::function<std::unique_ptr<LineReader>()> reader;
  std::string log;
};

std::vector<Kind> kinds() {
  const auto separated = [](char separator, std::int32_t width) {
    return
        [=] { return std::make_unique<SeparatedReader>(separator, std::vector<std::int32_t>{0, 1, 2, 3, 4}, width); };
  };
  const auto objects = [] {
    return std::make_unique<ObjectReader>(std::vector<std::string>{"t", "o", "a.l", "v", "c"});
  };
  const auto templates = [] {
    Template one;
    one.pieces = {{Piece::kHole, "", 4},   {Piece::kText, ": ", -1}, {Piece::kHole, "", 0},
                  {Piece::kText, " ", -1}, {Piece::kGap, "", -1},    {Piece::kText, " [", -1},
                  {Piece::kHole, "", 2},   {Piece::kText, "]=", -1}, {Piece::kHole, "", 3}};
    one.said = {{1, "w"}};
    return std::make_unique<TemplateReader>(std::vector<Template>{one}, true, "[");
  };
  return {
      {separated(',', 5),
       "T0,w,0x80,1,1\n\"T \"\"1\"\"\",r,\"0x\n0080\",_,2..3\r\n# no\nT0,u,x,1->2,2024-05-01 00:00:00.5\n"
       "T0,f,,,\nT1,init,z,9,\n"},
      {separated(' ', 0), "T0 w x 1 1\n  T1\tr  x 0x01   2\n\nT1 r \"x y\" _ 3\n"},
      {objects,
       "{\"t\":1,\"o\":\"w\",\"a\":{\"l\":\"x\",\"q\":[{}]},\"v\":-1,\"c\":[1,2.5]}\n"
       "[{\"c\":3,\"v\":\"\\u00e9\\ud83d\\ude00\",\"a\":{\"l\":\"x\"},\"o\":\"w\",\"t\":\"b\"},\n{\"t\":7,\"o\":"
       "\"f\"}]\n"},
      {templates, "1: T0 some [ text [x]=5\n2: T1 [y] [x]=6\nnoise\n"},
  };
}

// What is read of a log in blocks of a size: the columns, and the code and place of what is wrong.
std::string read(const Kind& kind, const std::string& log, std::size_t block, std::int64_t may_be_bad) {
  Log reader(kind.reader(), 5, meaning(may_be_bad));
  std::string pending, out;
  std::size_t at = 0, done = 0;
  try {
    while (true) {
      const std::string more = log.substr(at, block);
      at += more.size();
      // A block of its own, so that what is read beyond it is seen.
      const std::unique_ptr<std::string> own = std::make_unique<std::string>(pending + more);
      own->shrink_to_fit();
      const std::size_t used = reader.read(*own, more.empty());
      REQUIRE(used <= own->size());
      done += used;
      if (more.empty()) break;
      pending = own->substr(used);
    }
  } catch (const Fault& fault) {
    out =
        "fault " + std::to_string(fault.code) + " at " + std::to_string(static_cast<std::int64_t>(done) + fault.where);
    return out;
  }
  const formats::Raw& raw = reader.finish();
  for (std::size_t row = 0; row < raw.thread.size(); ++row) {
    out += std::to_string(raw.thread[row]) + " " + std::to_string(raw.op[row]) + " " + std::to_string(raw.loc[row]) +
           " " + std::to_string(raw.read_value[row]) + " " + std::to_string(raw.written_value[row]) + " " +
           std::to_string(raw.line[row]) + "\n";
  }
  return out + std::to_string(reader.bad());
}

}  // namespace

TEST_CASE("where blocks end does not matter") {
  for (const Kind& kind : kinds()) {
    const std::string whole = read(kind, kind.log, kind.log.size() + 1, 0);
    CHECK(whole.find("fault") == std::string::npos);
    for (std::size_t block = 1; block < kind.log.size(); ++block) CHECK(read(kind, kind.log, block, 0) == whole);
  }
}

TEST_CASE("damaged logs are read or refused, in blocks of any size alike") {
  generate::Random random(7);
  const auto below = [&random](std::size_t n) { return std::size_t{random.below(static_cast<std::uint32_t>(n))}; };
  for (const Kind& kind : kinds()) {
    for (int trial = 0; trial < 3000; ++trial) {
      std::string log = kind.log;
      for (std::size_t change = 0, changes = 1 + below(4); change < changes; ++change) {
        const std::size_t place = below(log.size());
        static constexpr std::string_view kBytes = "\"\\{}[],: \t\n\r#_0x-1wru.\xff\xc3\xa9\x01";
        if (below(3) == 0) log.erase(place, 1 + below(5));
        if (log.empty()) log = "x";
        log.insert(below(log.size()), 1, kBytes[below(kBytes.size())]);
      }
      const auto bad = static_cast<std::int64_t>(below(3));
      CHECK(read(kind, log, log.size() + 1, bad) == read(kind, log, 1 + below(9), bad));
    }
  }
}

TEST_CASE("moments are numbers or dates") {
  formats::Time time;
  CHECK(!read_moment("1970-01-02 00:00:00.25", time));
  CHECK(time.start == 8640025);
  CHECK(time.decimals == 2);
  CHECK(!read_moment("1969-12-31T23:59:59.5Z", time));
  CHECK(time.start == -5);
  CHECK(!read_moment("2000-02-29 00:00:00+01:30", time));
  CHECK(time.start == 951782400 - 5400);
  for (const char* wrong :
       {"", ":", "2000-13-01 00:00:00", "2000-01-01", "24:00:00", "00:00:00.", "00:00:00+1", "1..x"}) {
    CHECK(read_moment(wrong, time));
  }
}
