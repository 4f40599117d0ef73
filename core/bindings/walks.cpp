// Walks of model files, for Python: nodes, steps and automata go in; clocks, and orders that were tried, come out.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "record.hpp"
#include "walks/happens_before.hpp"
#include "walks/problem.hpp"

namespace porf::bindings {
namespace {

using walks::Attempt;
using walks::Automaton;
using walks::HappensBefore;
using walks::Nodes;
using walks::Problem;

using Pairs = std::pair<Column<std::int32_t>, Column<std::int32_t>>;
using Moves = std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t>>;

template <typename T, typename Vector>
Vector copied(const Column<T>& column) {
  return Vector(column.data(), column.data() + column.shape(0));
}

void demand(bool fits, const char* what) {
  if (!fits) throw std::invalid_argument(what);
}

Nodes nodes_of(Column<std::int32_t> thread, Column<std::int32_t> loc, Column<std::uint8_t> writes,
               Column<std::int32_t> rf, Column<std::int32_t> follows, Column<std::uint64_t> selects,
               std::int32_t threads, std::int32_t locations) {
  const std::size_t n = thread.shape(0);
  demand(
      loc.shape(0) == n && writes.shape(0) == n && rf.shape(0) == n && follows.shape(0) == n && selects.shape(0) == n,
      "columns of different lengths");
  Nodes nodes{copied<std::int32_t, Ints>(thread),
              copied<std::int32_t, Ints>(loc),
              copied<std::uint8_t, Large<std::uint8_t>>(writes),
              copied<std::int32_t, Ints>(rf),
              copied<std::int32_t, Ints>(follows),
              copied<std::uint64_t, Large<std::uint64_t>>(selects),
              threads,
              locations};
  for (std::int32_t e = 0; e < nodes.size(); ++e)
    demand(nodes.thread[e] >= 0 && nodes.thread[e] < threads && nodes.loc[e] >= -1 && nodes.loc[e] < locations &&
               nodes.rf[e] >= walks::kNone && nodes.rf[e] < nodes.size() && nodes.follows[e] >= walks::kNone &&
               nodes.follows[e] < nodes.size() && (nodes.loc[e] >= 0 || nodes.writes[e] == 0),
           "a column holds a number that makes no sense");
  return nodes;
}

Large<EdgeGraph::Edge> edges_of(const Pairs& columns, std::int32_t below) {
  const auto& [from, to] = columns;
  demand(from.shape(0) == to.shape(0), "steps: two columns of one length are needed");
  Large<EdgeGraph::Edge> edges;
  edges.reserve(from.shape(0));
  for (std::size_t i = 0; i < from.shape(0); ++i) {
    const std::int32_t a = from.data()[i], b = to.data()[i];
    demand(a >= 0 && b >= 0 && a < below && b < below, "a step names a node that does not exist");
    edges.emplace_back(a, b);
  }
  return edges;
}

walks::StepLists lists_of(const std::vector<Pairs>& given, std::int32_t nodes) {
  walks::StepLists lists(walks::kDynamic);
  for (walks::Steps& dynamic : lists) dynamic = walks::Steps(nodes, {});
  for (const Pairs& columns : given) lists.emplace_back(nodes, edges_of(columns, nodes));
  return lists;
}

Automaton automaton_of(const std::vector<std::int32_t>& letters, const Moves& moves, bool repeats, bool forces) {
  Automaton automaton;
  automaton.letters.assign(letters.begin(), letters.end());
  automaton.moves.resize(letters.size() + 1);
  automaton.repeats = repeats;
  automaton.forces = forces;
  for (auto [from, test, to] : moves) {
    demand(from >= 0 && to >= 0 && from < automaton.states() && to < automaton.states() && test < 64,
           "a move names a state that does not exist");
    demand(from != automaton.hub() || to != automaton.hub(), "a walk without steps");
    automaton.moves[from].push_back({test, to});
  }
  return automaton;
}

void check_letters(const Automaton& automaton, const walks::StepLists& lists) {
  for (std::int32_t letter : automaton.letters)
    demand(letter >= 0 && letter < static_cast<std::int32_t>(lists.size()), "a letter without steps");
}

template <typename Member>
std::pair<Array<std::int32_t>, Array<std::int32_t>> columns_of(const Large<Member>& pairs) {
  Ints from, to;
  from.reserve(pairs.size());
  to.reserve(pairs.size());
  for (auto [a, b] : pairs) {
    from.push_back(a);
    to.push_back(b);
  }
  return {to_numpy(std::move(from)), to_numpy(std::move(to))};
}

}  // namespace

void bind_walks(nb::module_& m) {
  m.attr("DYNAMIC_STEPS") = static_cast<std::int32_t>(walks::kDynamic);
  nb::class_<Nodes>(m, "WalkNodes", "Events in a model's view, as columns.")
      .def(
          "__init__",
          [](Nodes* self, Column<std::int32_t> thread, Column<std::int32_t> loc, Column<std::uint8_t> writes,
             Column<std::int32_t> rf, Column<std::int32_t> follows, Column<std::uint64_t> selects, std::int32_t threads,
             std::int32_t locations) {
            new (self) Nodes(nodes_of(thread, loc, writes, rf, follows, selects, threads, locations));
          },
          "thread"_a, "loc"_a, "writes"_a, "rf"_a, "follows"_a, "selects"_a, "threads"_a, "locations"_a);
  nb::class_<Automaton>(m, "WalkAutomaton", "States are steps; moves are (state, test or -1, state); the hub is last.")
      .def(
          "__init__",
          [](Automaton* self, const std::vector<std::int32_t>& letters, const Moves& moves, bool repeats, bool forces) {
            new (self) Automaton(automaton_of(letters, moves, repeats, forces));
          },
          "letters"_a, "moves"_a, "repeats"_a, "forces"_a);
  nb::class_<HappensBefore>(m, "WalkClocks", "What a pass of clocks found.")
      .def_ro("cyclic", &HappensBefore::cyclic)
      .def_ro("unsuited", &HappensBefore::unsuited)
      .def("generating", [](const HappensBefore& self) { return columns_of(self.generating); })
      .def("at", [](const HappensBefore& self) { return columns_of(self.at); });
  m.def(
      "happens_before",
      [](const Nodes& nodes, const Automaton& automaton, const std::vector<Pairs>& steps, Budget& budget) {
        const walks::StepLists lists = lists_of(steps, nodes.size());
        check_letters(automaton, lists);
        return unlocked([&] { return walks::happens_before(nodes, automaton, lists, budget); });
      },
      "nodes"_a, "automaton"_a, "steps"_a, "budget"_a);
  view<Attempt>(m, "WalkAttempt", "What came of an order that was tried.", FIELD(Attempt, answer),
                FIELD(Attempt, limit), COLUMN(Attempt, writes), COLUMN(Attempt, start), COLUMN(Attempt, clauses),
                COLUMN(Attempt, clause_end));
  nb::class_<Problem>(m, "WalkProblem", "Is there a modification order under which no walk comes back?")
      .def(
          "__init__",
          [](Problem* self, const Nodes& nodes, const std::vector<const Automaton*>& automata,
             const std::vector<Pairs>& steps, const Pairs& ordered) {
            walks::StepLists lists = lists_of(steps, nodes.size());
            std::vector<Automaton> copies;
            for (const Automaton* automaton : automata) {
              check_letters(*automaton, lists);
              copies.push_back(*automaton);
            }
            const auto pairs = edges_of(ordered, nodes.size());
            new (self) Problem(nodes, std::move(copies), std::move(lists), pairs);
          },
          "nodes"_a, "walks"_a, "steps"_a, "ordered"_a)
      .def_prop_ro("chains", [](const Problem& self) { return self.chains().size(); })
      .def_prop_ro("forced", &Problem::forced)
      .def("keys", [](const Problem& self) { return to_numpy(self.keys()); })
      .def(
          "begin", [](Problem& self, Budget& budget) { return self.begin(budget); }, "budget"_a, Unlocked())
      .def(
          "saturate", [](Problem& self, Budget& budget) { return self.saturate(budget); }, "budget"_a, Unlocked())
      .def(
          "attempt",
          [](Problem& self, Column<std::int32_t> keys, const Pairs& pairs, Budget& budget) {
            demand(static_cast<std::int32_t>(keys.shape(0)) == self.chains().size(), "keys: one a chain");
            const auto edges = edges_of(pairs, self.chains().size());
            const Ints copy(keys.data(), keys.data() + keys.shape(0));
            return unlocked([&] {
              Attempt attempt = self.attempt(copy, edges, budget);
              attempt.limit = limit_of(budget);
              return attempt;
            });
          },
          "keys"_a, "pairs"_a, "budget"_a);
}

}  // namespace porf::bindings
