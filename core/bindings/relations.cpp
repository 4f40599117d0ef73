// Relation programs for Python: a compiled model, and that model on one execution (evaluate, explain,
// search).
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "explore/walks.hpp"
#include "relations/engine.hpp"
#include "relations/paths.hpp"
#include "relations/program.hpp"
#include "relations/search.hpp"

namespace porf::bindings {

namespace {

using relations::Axiom;
using relations::Engine;
using relations::Events;
using relations::Instruction;
using relations::Program;

constexpr std::size_t kInstructionFields = 5, kAxiomFields = 5;

using Numbers = std::vector<std::int32_t>;

Program program_of(std::span<const std::int32_t> code, std::span<const std::int32_t> axioms) {
  if (code.size() % kInstructionFields != 0 || axioms.size() % kAxiomFields != 0) {
    throw std::invalid_argument("relation program: incomplete rows");
  }
  std::vector<Instruction> instructions;
  for (std::size_t at = 0; at < code.size(); at += kInstructionFields) {
    const std::int32_t* f = code.data() + at;
    instructions.push_back({f[0], f[1], f[2], f[3], f[4]});
  }
  std::vector<Axiom> checks;
  for (std::size_t at = 0; at < axioms.size(); at += kAxiomFields) {
    const std::int32_t* f = axioms.data() + at;
    checks.push_back({f[0], f[1], f[2] != 0, f[3] != 0, f[4] != 0});
  }
  return Program(std::move(instructions), std::move(checks));
}

// The rows that a program is made of, so that other processes can make it again.
std::pair<Numbers, Numbers> rows_of(const Program& program) {
  std::pair<Numbers, Numbers> rows;
  for (const Instruction& i : program.code)
    rows.first.insert(rows.first.end(), {i.op, i.a, i.b, i.c, i.kind});
  for (const Axiom& a : program.axioms)
    rows.second.insert(rows.second.end(), {a.reg, a.check, a.negated, a.flagged, a.monotone});
  return rows;
}

// One model on one execution. Holds copies of the columns, so that it may outlive the arrays it was made
// from.
class Evaluator {
 public:
  Evaluator(const Program& program, Column<std::int32_t> thread, Column<std::uint8_t> op,
            Column<std::int32_t> loc, Column<std::uint8_t> order, Column<std::int32_t> rf,
            std::int32_t threads, std::int32_t locations,
            const std::vector<Column<std::int32_t>>& dependencies, bool two_events)
      : program_(program),
        thread_(copy(thread)),
        loc_(copy(loc)),
        rf_(copy(rf)),
        op_(copy(op)),
        order_(copy(order)) {
    if (dependencies.size() != 6) throw std::invalid_argument("six dependency columns are needed");
    for (const auto& column : dependencies) dependencies_.push_back(copy(column));
    validate(threads, locations);
    const relations::Dependency pairs[3] = {{dependencies_[0], dependencies_[1]},
                                            {dependencies_[2], dependencies_[3]},
                                            {dependencies_[4], dependencies_[5]}};
    events_.emplace(Execution{thread_, op_, loc_, order_, rf_, threads, locations}, pairs, two_events);
    engine_.emplace(program_, *events_);
  }

  // Sets the modification order (event references; closed transitively, initial writes first) and evaluates
  // all.
  void order(Column<std::int32_t> before, Column<std::int32_t> after) {
    if (before.shape(0) != after.shape(0))
      throw std::invalid_argument("mo: two columns of one length are needed");
    engine_->reset_order();
    for (std::size_t i = 0; i < before.shape(0); ++i) {
      const std::int32_t a = events_->write_node(before.data()[i]), b = events_->write_node(after.data()[i]);
      if (a < 0 || b < 0) throw std::invalid_argument("mo relates writes only");
      if (events_->location(a) != events_->location(b)) {
        throw std::invalid_argument("mo relates writes of one location only");
      }
      relations::set(engine_->mo() + static_cast<std::size_t>(a) * engine_->shape().words,
                     static_cast<std::size_t>(b));
    }
    Budget budget = make_budget(0, 0, 0, nb::none());  // unlimited, but Ctrl-C gets through
    nb::gil_scoped_release unlocked;
    watched(budget, [&] {
      engine_->close_order();
      engine_->run_all();
    });
    if (paths_) paths_->forget_order();
  }

  std::vector<std::int32_t> broken() {
    std::vector<std::int32_t> out;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(program_.axioms.size()); ++k) {
      if (engine_->broken(k)) out.push_back(k);
    }
    return out;
  }

  std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t, bool>> breaking(std::int32_t axiom) {
    if (axiom < 0 || axiom >= static_cast<std::int32_t>(program_.axioms.size())) {
      throw std::out_of_range("no such axiom");
    }
    std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t, bool>> out;
    Budget budget = make_budget(0, 0, 0, nb::none());
    nb::gil_scoped_release unlocked;
    if (!paths_) paths_.emplace(*engine_);
    watched(budget, [&] {
      for (const relations::BaseEdge& edge : paths_->breaking(axiom)) {
        out.emplace_back(events_->reference(edge.source), edge.relation, events_->reference(edge.target),
                         edge.backwards);
      }
    });
    return out;
  }

  std::vector<std::tuple<std::int32_t, std::int32_t>> pairs(std::int32_t reg) const {
    std::vector<std::tuple<std::int32_t, std::int32_t>> out;
    const relations::Word* matrix = value(reg, 0);
    for (std::int32_t i = 0; i < events_->nodes(); ++i) {
      relations::for_each_bit(matrix + static_cast<std::size_t>(i) * engine_->shape().words,
                              engine_->shape().words, [&](std::size_t j) {
                                out.emplace_back(events_->reference(i),
                                                 events_->reference(static_cast<std::int32_t>(j)));
                              });
    }
    return out;
  }

  // A relation as it is held: a row of words a node, bit j of row i for the pair (i, j).
  nb::tuple matrix(std::int32_t reg) const {
    const relations::Word* words = value(reg, 0);
    return nb::make_tuple(static_cast<std::int32_t>(engine_->shape().words),
                          to_numpy(std::vector<std::uint64_t>(words, words + engine_->shape().size())));
  }

  std::vector<std::int32_t> members(std::int32_t reg) const {
    std::vector<std::int32_t> out;
    relations::for_each_bit(value(reg, 1), engine_->shape().words, [&](std::size_t j) {
      out.push_back(events_->reference(static_cast<std::int32_t>(j)));
    });
    return out;
  }

  nb::tuple search(double seconds, std::uint64_t steps, std::uint64_t bytes, nb::object progress) {
    Budget budget = make_budget(seconds, steps, bytes, std::move(progress));
    relations::Verdict verdict = relations::Verdict::kUndecided;
    engine_->reset_order();
    if (paths_) paths_->forget_order();
    relations::Search search(*engine_, budget);
    {
      nb::gil_scoped_release unlocked;
      watched(budget, [&] { verdict = search.run(); });
    }
    std::vector<std::int32_t> writes, columns[4];
    std::vector<std::int64_t> start{0};
    if (verdict == relations::Verdict::kConsistent) list_order(writes, start);
    if (verdict == relations::Verdict::kInconsistent) list_proofs(search, columns);
    return nb::make_tuple(static_cast<std::int32_t>(verdict), to_numpy(std::move(writes)),
                          to_numpy(std::move(start)), search.root(), to_numpy(std::move(columns[0])),
                          to_numpy(std::move(columns[1])), to_numpy(std::move(columns[2])),
                          to_numpy(std::move(columns[3])), budget.used());
  }

 private:
  template <typename T>
  static std::vector<T> copy(const Column<T>& column) {
    return {column.data(), column.data() + column.shape(0)};
  }

  void validate(std::int32_t threads, std::int32_t locations) const {
    const std::size_t n = thread_.size();
    if (op_.size() != n || loc_.size() != n || order_.size() != n || rf_.size() != n) {
      throw std::invalid_argument("columns of different lengths");
    }
    const auto rows = static_cast<std::int32_t>(n);
    for (std::size_t e = 0; e < n; ++e) {
      const bool fence = op_[e] == kFence;
      const bool fits = thread_[e] >= 0 && thread_[e] < threads && op_[e] <= kFence && order_[e] <= kSc &&
                        (fence || (loc_[e] >= 0 && loc_[e] < locations)) && rf_[e] < rows &&
                        (rf_[e] < 0 || op_[rf_[e]] == kWrite || op_[rf_[e]] == kUpdate);
      if (!fits) throw std::invalid_argument("a column holds a number that makes no sense");
    }
    for (std::size_t k = 0; k < dependencies_.size(); ++k) {
      if (dependencies_[k].size() != dependencies_[k ^ 1].size()) {
        throw std::invalid_argument("dependency columns of different lengths");
      }
      for (std::int32_t row : dependencies_[k]) {
        if (row < 0 || row >= rows)
          throw std::invalid_argument("a dependency names a row that does not exist");
      }
    }
  }

  template <typename Body>
  void watched(Budget& budget, Body body) {
    struct Watch {
      Engine& engine;
      Watch(Engine& watched, Budget& spends) : engine(watched) { engine.watch(&spends); }
      ~Watch() { engine.watch(nullptr); }
    } watch(*engine_, budget);
    try {
      body();
    } catch (const relations::Unsettled& unsettled) {
      throw std::runtime_error("register " + std::to_string(unsettled.instruction) + " does not settle");
    } catch (const relations::Spent&) {  // the verdict stays undecided
    }
  }

  const relations::Word* value(std::int32_t reg, std::int32_t kind) const {
    if (reg < 0 || reg >= static_cast<std::int32_t>(program_.code.size()) ||
        program_.code[reg].kind != kind) {
      throw std::out_of_range("no such register");
    }
    return engine_->get(reg);
  }

  // A write's place in its location's total order is the number of writes that follow it.
  void list_order(std::vector<std::int32_t>& writes, std::vector<std::int64_t>& start) const {
    std::vector<std::vector<std::int32_t>> of(static_cast<std::size_t>(events_->locations()));
    for (std::int32_t e = 0; e < events_->nodes(); ++e) {
      if (events_->writes(e) && events_->reference(e) >= 0)
        of[static_cast<std::size_t>(events_->location(e))].push_back(e);
    }
    const std::size_t words = engine_->shape().words;
    for (auto& line : of) {
      std::sort(line.begin(), line.end(), [&](std::int32_t a, std::int32_t b) {
        return relations::test(engine_->mo() + static_cast<std::size_t>(a) * words,
                               static_cast<std::size_t>(b));
      });
      for (std::int32_t e : line) writes.push_back(events_->reference(e));
      start.push_back(static_cast<std::int64_t>(writes.size()));
    }
  }

  // Columns: the axiom of each proof; then of all steps, proof by proof: before, after, refutation (-1 ends a
  // proof).
  void list_proofs(const relations::Search& search, std::vector<std::int32_t> (&columns)[4]) const {
    for (const relations::ProofNode& node : search.proofs()) {
      columns[0].push_back(node.axiom);
      for (const relations::ProofStep& step : node.steps) {
        columns[1].push_back(events_->reference(step.before));
        columns[2].push_back(events_->reference(step.after));
        columns[3].push_back(step.refutation);
      }
      for (int c = 1; c < 4; ++c) columns[c].push_back(-1);
    }
  }

  const Program& program_;
  std::vector<std::int32_t> thread_, loc_, rf_;
  std::vector<std::uint8_t> op_, order_;
  std::vector<std::vector<std::int32_t>> dependencies_;
  std::optional<Events> events_;
  std::optional<Engine> engine_;
  std::optional<relations::Paths> paths_;
};

// The numbers of a relation program: Python imports these types and mirrors none of them.
void bind_numbers(nb::module_& m) {
  nb::enum_<relations::BaseRelation>(m, "BaseRelation", nb::is_arithmetic())
      .value("ID", relations::kId)
      .value("PO", relations::kPo)
      .value("RF", relations::kRf)
      .value("MO", relations::kMo)
      .value("FR", relations::kFr)
      .value("LOC", relations::kLoc)
      .value("INT", relations::kInt)
      .value("EXT", relations::kExt)
      .value("RMW", relations::kRmw)
      .value("ADDR", relations::kAddr)
      .value("DATA", relations::kData)
      .value("CTRL", relations::kCtrl);
  auto sets = nb::enum_<relations::BaseSet>(m, "BaseSet", nb::is_arithmetic())
                  .value("ALL", relations::kAll)
                  .value("READS", relations::kReads)
                  .value("WRITES", relations::kWrites)
                  .value("FENCES", relations::kFences)
                  .value("UPDATES", relations::kUpdates)
                  .value("INITIAL_WRITES", relations::kInitialWrites);
  const char* orders[] = {"NA", "RLX", "ACQ", "REL", "ACQ_REL", "SC"};
  for (int order = 0; order < 6; ++order) {
    const std::string name = orders[order];
    sets.value(name.c_str(), static_cast<relations::BaseSet>(relations::kExactly + order));
    sets.value(("GE_" + name).c_str(), static_cast<relations::BaseSet>(relations::kAtLeast + order));
  }
  nb::enum_<relations::Opcode>(m, "RelationOpcode", nb::is_arithmetic())
      .value("BASE_RELATION", relations::kBaseRel)
      .value("BASE_SET", relations::kBaseSetOf)
      .value("EMPTY", relations::kEmpty)
      .value("UNIVERSE", relations::kUniverse)
      .value("UNION", relations::kUnion)
      .value("INTERSECTION", relations::kIntersection)
      .value("DIFFERENCE", relations::kDifference)
      .value("COMPLEMENT", relations::kComplement)
      .value("COMPOSE", relations::kCompose)
      .value("INVERSE", relations::kInverse)
      .value("PLUS", relations::kPlus)
      .value("STAR", relations::kStar)
      .value("OPTIONAL", relations::kOptional)
      .value("IDENTITY", relations::kIdentity)
      .value("PRODUCT", relations::kProduct)
      .value("DOMAIN", relations::kDomain)
      .value("RANGE", relations::kRange)
      .value("VARIABLE", relations::kVariable)
      .value("UPDATE", relations::kUpdate)
      .value("LOOP", relations::kLoop)
      .value("MEMBER", relations::kMember)
      .value("GATHER", relations::kGather);
  nb::enum_<relations::Check>(m, "Check", nb::is_arithmetic())
      .value("ACYCLIC", relations::kAcyclic)
      .value("IRREFLEXIVE", relations::kIrreflexive)
      .value("EMPTY", relations::kIsEmpty);
}

}  // namespace

void bind_relations(nb::module_& m) {
  bind_numbers(m);
  nb::class_<Program>(m, "RelationProgram")
      .def(
          "__init__",
          [](Program* self, Column<std::int32_t> code, Column<std::int32_t> axioms) {
            new (self) Program(program_of(span_of(code), span_of(axioms)));
          },
          nb::arg("code"), nb::arg("axioms"))
      .def("letters",
           [](const Program& self) {
             Numbers counts;
             const explore::Walks walks(self);
             if (!walks.usable()) return counts;
             for (const auto& automaton : walks.automata())
               counts.push_back(static_cast<std::int32_t>(automaton.letters.size()));
             return counts;
           })
      .def("__getstate__", &rows_of)
      .def("__setstate__", [](Program* self, const std::pair<Numbers, Numbers>& rows) {
        new (self) Program(program_of(rows.first, rows.second));
      });
  nb::class_<Evaluator>(m, "Evaluator")
      .def(nb::init<const Program&, Column<std::int32_t>, Column<std::uint8_t>, Column<std::int32_t>,
                    Column<std::uint8_t>, Column<std::int32_t>, std::int32_t, std::int32_t,
                    const std::vector<Column<std::int32_t>>&, bool>(),
           nb::arg("program"), nb::arg("thread"), nb::arg("op"), nb::arg("loc"), nb::arg("order"),
           nb::arg("rf"), nb::arg("threads"), nb::arg("locations"), nb::arg("dependencies"),
           nb::arg("two_events"), nb::keep_alive<1, 2>())
      .def("order", &Evaluator::order, nb::arg("before"), nb::arg("after"))
      .def("broken", &Evaluator::broken)
      .def("breaking", &Evaluator::breaking, nb::arg("axiom"))
      .def("pairs", &Evaluator::pairs, nb::arg("reg"))
      .def("matrix", &Evaluator::matrix, nb::arg("reg"))
      .def("members", &Evaluator::members, nb::arg("reg"))
      .def("search", &Evaluator::search, nb::arg("seconds"), nb::arg("steps"), nb::arg("bytes"),
           nb::arg("progress").none());
}

}  // namespace porf::bindings
