// Random testing of programs: a program, settings and a way to choose in, what was found and covered out.
#include "testing/testing.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "record.hpp"

namespace porf::bindings {

namespace {

using namespace porf::testing;

Tested test_program(const explore::Program& program, const explore::Settings& settings, const TestSettings& how,
                    std::uint64_t runs, double seconds, std::uint64_t bytes, const std::optional<Path>& path,
                    nb::object progress) {
  TestPoll told = [&](const Tested& t) {
    return poll(progress, t.runs, t.events, &t.coverage);  // no copy: it is there within the call alone
  };
  seconds = porf::Allowance::of_thread().at_most(seconds);
  Tested tested = unlocked([&] { return testing::test({program, settings, how, {runs, seconds, bytes}, path, told}); });
  tested.limit = limit_of(tested.limit);
  return tested;
}

}  // namespace

void bind_testing(nb::module_& m) {
  enumeration<Scheduler>(m, "Scheduler", "Who comes next in a run.");
  enumeration<Reading>(m, "ReadingOrder", "Which write a read takes in a run.");
  record<TestSettings>(m, "TestSettings", FIELD(TestSettings, scheduler), FIELD(TestSettings, depth),
                       FIELD(TestSettings, reading), FIELD(TestSettings, seed), FIELD(TestSettings, most_events),
                       FIELD(TestSettings, jobs), FIELD(TestSettings, window), FIELD(TestSettings, shorts))
      .def(nb::init<>());
  view<Milestone>(m, "Milestone", "How much had been seen after so many runs.", FIELD(Milestone, runs),
                  FIELD(Milestone, classes), FIELD(Milestone, edges));
  nb::class_<Coverage>(m, "Coverage", "What the runs of a test have seen.")
      .def_prop_ro("classes", [](const Coverage& c) { return c.classes.size(); })
      .def_prop_ro("edges", [](const Coverage& c) { return c.edges.size(); })
      .def_ro("once", &Coverage::once)
      .def_ro("twice", &Coverage::twice)
      .def_ro("full", &Coverage::full)
      .def_ro("milestones", &Coverage::milestones)
      .def("met", &Coverage::met, "times"_a, "How many classes were met just so often.");
  view<Tested>(m, "Tested", "What a test has found.", FIELD(Tested, findings), FIELD(Tested, coverage),
               FIELD(Tested, runs), FIELD(Tested, events), FIELD(Tested, waiting), FIELD(Tested, limit),
               FIELD(Tested, too_large));
  m.def("can_test", &can_test, "engine"_a, "Whether a run can keep to what the engine decides, read by read.");
  m.def("test", &test_program, "program"_a, "settings"_a, "how"_a, nb::kw_only(), "runs"_a, "seconds"_a, "bytes"_a,
        "path"_a.none(), "progress"_a.none());
}

}  // namespace porf::bindings
