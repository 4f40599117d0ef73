// Exploration of programs: a program and settings in, findings out.
#include "explore/explore.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "record.hpp"
#include "relations/engine.hpp"

namespace porf::bindings {

namespace {

using namespace porf::explore;

Result explore_program(const explore::Program& program, const Settings& settings, const std::vector<Task>& tasks,
                       std::uint64_t limit, double seconds, std::uint64_t bytes, nb::object progress) {
  if (settings.file == nullptr && settings.engine == EngineKind::kAxioms)
    throw nb::value_error("a model file is needed");
  Poll told = [&](const Findings& f) { return poll(progress, f.complete, f.blocked, f.explored); };
  seconds = porf::Allowance::of_thread().at_most(seconds);
  Result result = unlocked([&] { return explore::explore({program, settings, {limit, seconds, bytes}, tasks, told}); });
  result.limit = limit_of(result.limit);
  return result;
}

void bind_enums(nb::module_& m) {
  auto engines = nb::enum_<EngineKind>(m, "Engine", "What decides which executions are consistent.");
#define PORF_ENGINE(engine, python, ...) engines.value(#python, EngineKind::engine);
  PORF_ENGINES(PORF_ENGINE)
#undef PORF_ENGINE
  view<EngineFacts>(m, "EngineFacts", "`orders`: whether the orders of accesses make a difference.",
                    FIELD(EngineFacts, family), FIELD(EngineFacts, orders));
  m.def("engine_facts", nb::overload_cast<EngineKind>(&facts_of), "engine"_a);

  enumeration<Sync>(m, "HappensBefore", "How it arises in an explored graph.");

  enumeration<Strategy>(m, "Strategy",
                        "TRUST keeps one graph, and nothing else; TRACER, schedules that are still to be run.");

  auto bugs = nb::enum_<Bug>(m, "BugKind", "What can be wrong with a program.");
#define PORF_BUG(kind, python, ...) bugs.value(#python, Bug::kind);
  PORF_BUGS(PORF_BUG)
#undef PORF_BUG
  enumeration<Blame>(m, "Blame", "Who is to blame for a bug, and so which part of the execution shows it.");
  view<BugFacts>(m, "BugFacts", "What is said of a kind of bug.", FIELD(BugFacts, name), FIELD(BugFacts, blame),
                 FIELD(BugFacts, about), FIELD(BugFacts, message), FIELD(BugFacts, end));
  m.def("bug_facts", nb::overload_cast<Bug>(&facts_of), "kind"_a);

  nb::enum_<EventKind>(m, "EventKind", "What an event of an explored graph does.", nb::is_arithmetic())
      .value("READ", EventKind{kRead})
      .value("WRITE", EventKind{kWrite})
      .value("UPDATE", EventKind{kUpdate})
      .value("FENCE", EventKind{kFence})
      .value("SPAWN", kSpawnOp)
      .value("JOIN", kJoinOp)
      .value("FREE", kFreeOp)
      .value("CHOOSE", kChooseOp)
      .value("BARRIER", kBarrierOp);
  nb::enum_<Unique>(m, "Unique", "Of which values it is guessed that no location gets one twice.")
      .value("NONE", Unique::kNone)
      .value("POINTERS", Unique::kPointers)
      .value("ALL", Unique::kAll);
  nb::enum_<Guess>(m, "Guess", "What an exploration may guess, and learn that it is wrong.")
      .value("NONE", Guess::kNone)
      .value("WOKEN", Guess::kWoken)
      .value("UNIQUE", Guess::kUnique)
      .value("ALIKE", Guess::kAlike)
      .value("SECTIONS", Guess::kSections)
      .value("SEQUENCES", Guess::kSequences);
  nb::enum_<KeptOrder>(m, "KeptOrder", "What of program order has no cycle with reads-from.", nb::is_arithmetic())
      .value("DATA", kKeptData)
      .value("ADDRESS", kKeptAddress)
      .value("CHAIN", kKeptChain)
      .value("CONTROL", kKeptControl)
      .value("ACQUIRE", kKeptAcquire)
      .value("UPDATE", kKeptUpdate)
      .value("RELEASE", kKeptRelease)
      .value("FENCE", kKeptFence)
      .value("SEQUENCES", kSequences);
  nb::enum_<Role>(m, "Role", "What an event does to a mutex.")
      .value("NONE", Role::kNone)
      .value("LOCK", Role::kLock)
      .value("TRYLOCK", Role::kTry)
      .value("UNLOCK", Role::kUnlock);
}

void bind_results(nb::module_& m) {
  record<Task>(m, "Task", FIELD(Task, path), FIELD(Task, floor))
      .def(nb::init<std::vector<std::int32_t>, std::int32_t>(), "path"_a, "floor"_a)
      .def("__lt__", [](const Task& a, const Task& b) { return a < b; }, "other"_a);
  record<Row>(m, "ExploredEvent", FIELD(Row, thread), FIELD(Row, index), FIELD(Row, kind), FIELD(Row, role),
              FIELD(Row, pointer), FIELD(Row, order), FIELD(Row, source), FIELD(Row, read), FIELD(Row, written),
              FIELD(Row, pc), FIELD(Row, other))
      .def_prop_ro(
          "access", [](const Row& r) { return r.kind <= kFence; }, "An access or a fence.")
      .def_prop_ro("reads", [](const Row& r) { return r.kind == kRead || r.kind == kUpdate; })
      .def_prop_ro("writes", [](const Row& r) { return r.kind == kWrite || r.kind == kUpdate; })
      .def_prop_ro(
          "waits", [](const Row& r) { return r.role == Role::kLock && r.kind == kRead; },
          "A lock that never got its mutex.");
  record<Allocated>(m, "Allocated", FIELD(Allocated, thread), FIELD(Allocated, number), FIELD(Allocated, layout),
                    FIELD(Allocated, size));
  record<Printed>(m, "Printed", FIELD(Printed, event), FIELD(Printed, thread), FIELD(Printed, pc),
                  FIELD(Printed, values));
  record<Weight>(m, "BugWeight", FIELD(Weight, events), FIELD(Weight, switches), FIELD(Weight, stale));
  record<BugReport>(m, "BugReport", FIELD(BugReport, kind), FIELD(BugReport, event), FIELD(BugReport, thread),
                    FIELD(BugReport, pc), FIELD(BugReport, other), FIELD(BugReport, other_pc), FIELD(BugReport, detail),
                    FIELD(BugReport, path), FIELD(BugReport, events), FIELD(BugReport, objects),
                    FIELD(BugReport, printed), FIELD(BugReport, weight), FIELD(BugReport, whole))
      .def(nb::init<>());
  record<FinalState>(m, "FinalState", FIELD(FinalState, values), FIELD(FinalState, executions), FIELD(FinalState, path))
      .def(nb::init<std::vector<std::int64_t>, std::uint64_t, std::vector<std::int32_t>>(), "values"_a, "executions"_a,
           "path"_a);
  record<Findings>(m, "Findings", FIELD(Findings, complete), FIELD(Findings, blocked), FIELD(Findings, cut),
                   FIELD(Findings, erroneous), FIELD(Findings, dead), FIELD(Findings, graphs), FIELD(Findings, spins),
                   FIELD(Findings, distinct), FIELD(Findings, repeated), FIELD(Findings, explored),
                   FIELD(Findings, states), FIELD(Findings, bugs), FIELD(Findings, refused), FIELD(Findings, cut_loops),
                   FIELD(Findings, spin_loops), FIELD(Findings, assumptions), FIELD(Findings, executions),
                   FIELD(Findings, stuck), FIELD(Findings, orders), FIELD(Findings, fingerprints))
      .def(nb::init<>())
      .def("add", &Findings::add, "found"_a, "Takes up what another part of the exploration has found.")
      .def("duplicates", &Findings::duplicates, "How many executions were met again, by their fingerprints.");
  record<SectionTable>(m, "SectionTable", FIELD(SectionTable, whole), FIELD(SectionTable, groups),
                       FIELD(SectionTable, given_up))
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"));
  record<EarlyWrite>(m, "EarlyWrite", FIELD(EarlyWrite, pc), FIELD(EarlyWrite, read), FIELD(EarlyWrite, written));
  record<EarlyFound>(m, "EarlyFound", FIELD(EarlyFound, early), FIELD(EarlyFound, after))
      .def(nb::init<>())
      .def("add", &EarlyFound::add, "found"_a, "Takes up what another part of the exploration has gathered.")
      .def("reads_of_cycles", &EarlyFound::reads_of_cycles,
           "The reads of which others may see a later write first, and lead back to what they read.");
  record<Result>(m, "ExploreResult", FIELD(Result, findings), FIELD(Result, remaining), FIELD(Result, limit),
                 FIELD(Result, commuting), FIELD(Result, sections), FIELD(Result, early), FIELD(Result, unjudged),
                 FIELD(Result, too_large), FIELD(Result, wrong));
}

}  // namespace

void bind_explore(nb::module_& m) {
  bind_enums(m);
  bind_results(m);
  record<Settings>(m, "ExploreSettings", FIELD(Settings, engine), FIELD(Settings, file), FIELD(Settings, two_events),
                   FIELD(Settings, suspect), FIELD(Settings, races), FIELD(Settings, happens_before),
                   FIELD(Settings, late_races), FIELD(Settings, strategy), FIELD(Settings, unroll),
                   FIELD(Settings, spurious), FIELD(Settings, commuting), FIELD(Settings, sections),
                   FIELD(Settings, all_blocked), FIELD(Settings, guess_woken), FIELD(Settings, guess_unique),
                   FIELD(Settings, kept), FIELD(Settings, foreseeing), FIELD(Settings, symmetry),
                   FIELD(Settings, keep_going), FIELD(Settings, lightest), FIELD(Settings, self_check),
                   FIELD(Settings, collect), FIELD(Settings, states), FIELD(Settings, ordered),
                   FIELD(Settings, stop_at_cut), FIELD(Settings, leaks), FIELD(Settings, liveness))
      .def(nb::init<>());
  nb::exception<NoSuchPath>(m, "NoSuchPath");
  m.def("explore", &explore_program, "program"_a, "settings"_a, "tasks"_a, nb::kw_only(), "limit"_a, "seconds"_a,
        "bytes"_a, "progress"_a.none());
}

}  // namespace porf::bindings
