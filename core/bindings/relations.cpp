// Relation programs for Python: a compiled model, and that model on one execution (evaluate, explain, search).
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

#include "explore/linear.hpp"
#include "explore/walks.hpp"
#include "record.hpp"
#include "relations/engine.hpp"
#include "relations/paths.hpp"
#include "relations/program.hpp"
#include "relations/search.hpp"

namespace porf::bindings {

namespace {

using relations::Axiom;
using relations::BaseEdge;
using relations::Engine;
using relations::Events;
using relations::Instruction;
using relations::Program;
using relations::ProofNode;
using relations::ProofStep;

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
  for (const Instruction& i : program.code) rows.first.insert(rows.first.end(), {i.op, i.a, i.b, i.c, i.kind});
  for (const Axiom& a : program.axioms)
    rows.second.insert(rows.second.end(), {a.reg, a.check, a.negated, a.flagged, a.monotone});
  return rows;
}

// What a search found. Events are references.
struct Searched {
  Answer answer = Answer::kUndecided;
  std::vector<std::int32_t> writes;    // if consistent: the modification order, location by location,
  std::vector<std::int64_t> start{0};  // location x's from start[x] to start[x + 1]
  std::vector<ProofNode> proofs;       // if not: the refutations, and the root among them
  std::int32_t root = -1;
};

// One model on one execution.
class Evaluator {
 public:
  Evaluator(const Program& program, const HeldExecution& execution, bool two_events)
      : program_(program), execution_(execution) {
    validate();
    events_.emplace(execution_, two_events);
    engine_.emplace(program_, *events_);
  }

  // Sets the modification order (event references; closed transitively, initial writes first) and evaluates all.
  void order(Column<std::int32_t> before, Column<std::int32_t> after) {
    if (before.shape(0) != after.shape(0)) throw std::invalid_argument("mo: two columns of one length are needed");
    engine_->reset_order();
    for (std::size_t i = 0; i < before.shape(0); ++i) {
      const std::int32_t a = events_->write_node(before.data()[i]), b = events_->write_node(after.data()[i]);
      if (a < 0 || b < 0) throw std::invalid_argument("mo relates writes only");
      if (events_->location(a) != events_->location(b)) {
        throw std::invalid_argument("mo relates writes of one location only");
      }
      relations::set(engine_->mo() + static_cast<std::size_t>(a) * engine_->shape().words, static_cast<std::size_t>(b));
    }
    Budget budget = make_budget();
    nb::gil_scoped_release unlocked;
    watched(budget, [&] {
      engine_->close_order();
      engine_->run_all();
    });
    refuse_half(budget);
    if (paths_) paths_->forget_order();
  }

  std::vector<std::int32_t> broken() {
    std::vector<std::int32_t> out;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(program_.axioms.size()); ++k) {
      if (engine_->broken(k)) out.push_back(k);
    }
    return out;
  }

  std::vector<BaseEdge> breaking(std::int32_t axiom) {
    if (axiom < 0 || axiom >= static_cast<std::int32_t>(program_.axioms.size())) {
      throw std::out_of_range("no such axiom");
    }
    std::vector<BaseEdge> out;
    Budget budget = make_budget();
    nb::gil_scoped_release unlocked;
    if (!paths_) paths_.emplace(*engine_);
    watched(budget, [&] {
      for (BaseEdge edge : paths_->breaking(axiom)) {
        edge.source = events_->reference(edge.source);
        edge.target = events_->reference(edge.target);
        out.push_back(edge);
      }
    });
    refuse_half(budget);
    return out;
  }

  std::vector<std::tuple<std::int32_t, std::int32_t>> pairs(std::int32_t reg) const {
    std::vector<std::tuple<std::int32_t, std::int32_t>> out;
    const relations::Word* matrix = value(reg, 0);
    for (std::int32_t i = 0; i < events_->nodes(); ++i) {
      relations::for_each_bit(
          matrix + static_cast<std::size_t>(i) * engine_->shape().words, engine_->shape().words, [&](std::size_t j) {
            out.emplace_back(events_->reference(i), events_->reference(static_cast<std::int32_t>(j)));
          });
    }
    return out;
  }

  // A relation as it is held: a row of words a node, bit j of row i for the pair (i, j).
  nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<2>> matrix(std::int32_t reg) const {
    const relations::Word* words = value(reg, 0);
    auto* owned = new std::vector<std::uint64_t>(words, words + engine_->shape().size());
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<std::uint64_t>*>(p); });
    const std::size_t width = engine_->shape().words;
    return {owned->data(), {owned->size() / width, width}, owner};
  }

  std::vector<std::int32_t> members(std::int32_t reg) const {
    std::vector<std::int32_t> out;
    relations::for_each_bit(value(reg, 1), engine_->shape().words,
                            [&](std::size_t j) { out.push_back(events_->reference(static_cast<std::int32_t>(j))); });
    return out;
  }

  Searched search(Budget& budget) {
    Searched found;
    engine_->reset_order();
    if (paths_) paths_->forget_order();
    relations::Search search(*engine_, budget);
    nb::gil_scoped_release unlocked;
    watched(budget, [&] { found.answer = search.run(); });
    if (found.answer == Answer::kConsistent) list_order(found.writes, found.start);
    if (found.answer == Answer::kInconsistent) {
      found.root = search.root();
      found.proofs = search.proofs();
      for (ProofNode& node : found.proofs)
        for (ProofStep& step : node.steps) {
          step.before = events_->reference(step.before);
          step.after = events_->reference(step.after);
        }
    }
    return found;
  }

 private:
  void validate() const {
    const Execution& x = execution_;
    for (std::int32_t e = 0; e < x.size(); ++e) {
      const bool fits = x.thread[e] >= 0 && x.thread[e] < x.threads && x.op[e] <= kFence && x.order[e] <= kSc &&
                        (x.op[e] == kFence || (x.loc[e] >= 0 && x.loc[e] < x.locations)) && x.rf[e] < x.size() &&
                        (x.rf[e] < 0 || x.writes(x.rf[e]));
      if (!fits) throw std::invalid_argument("a column holds a number that makes no sense");
    }
    for (const Dependency& dependency : x.dependencies)
      for (const auto& rows : {dependency.from, dependency.to})
        for (std::int32_t row : rows)
          if (row < 0 || row >= x.size()) throw std::invalid_argument("a dependency names a row that does not exist");
  }

  static void refuse_half(const Budget& budget) {
    if (budget.spent()) throw Spent{limit_of(budget)};
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
    } catch (const relations::Spent&) {  // a verdict stays undecided
    }
  }

  const relations::Word* value(std::int32_t reg, std::int32_t kind) const {
    if (reg < 0 || reg >= static_cast<std::int32_t>(program_.code.size()) || program_.code[reg].kind != kind) {
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
        return relations::test(engine_->mo() + static_cast<std::size_t>(a) * words, static_cast<std::size_t>(b));
      });
      for (std::int32_t e : line) writes.push_back(events_->reference(e));
      start.push_back(static_cast<std::int64_t>(writes.size()));
    }
  }

  const Program& program_;
  HeldExecution execution_;
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
      .value("CTRL", relations::kCtrl)
      .value("AMO", relations::kAmo)
      .value("LXSX", relations::kLxsx);
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
#define OPCODE(constant, name, kinds) .value(name, relations::constant)
#include "relations/opcodes.def"
#undef OPCODE
      ;
  nb::enum_<relations::Check>(m, "Check", nb::is_arithmetic())
      .value("ACYCLIC", relations::kAcyclic)
      .value("IRREFLEXIVE", relations::kIrreflexive)
      .value("EMPTY", relations::kIsEmpty);
}

}  // namespace

void bind_relations(nb::module_& m) {
  bind_numbers(m);
  m.attr("TAGGED") = static_cast<std::int32_t>(relations::kTagged);
  m.attr("TAGS") = kTags;
  nb::class_<Program>(m, "RelationProgram")
      .def(
          "__init__",
          [](Program* self, const Numbers& code, const Numbers& axioms) {
            new (self) Program(program_of(code, axioms));
          },
          nb::arg("code"), nb::arg("axioms"))
      .def(
          "compiled",
          [](const Program& self, bool two_events) {
            const explore::Walks walks(self);
            return explore::Linear(walks, two_events).usable();
          },
          nb::arg("two_events"), "Whether exploration compiles it; otherwise its axioms are walked, or evaluated.")
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
  nb::exception<relations::Unsettled>(m, "Unsettled", PyExc_RuntimeError);
  view<BaseEdge>(m, "BaseEdge", "An edge of a base relation, which may be taken backwards.", FIELD(BaseEdge, source),
                 FIELD(BaseEdge, relation), FIELD(BaseEdge, target), FIELD(BaseEdge, backwards));
  view<ProofStep>(m, "ProofStep", "An edge that holds, for the opposite one is refuted.", FIELD(ProofStep, before),
                  FIELD(ProofStep, after), FIELD(ProofStep, refutation));
  view<ProofNode>(m, "ProofNode", "An axiom that is broken once all steps are taken.", FIELD(ProofNode, axiom),
                  FIELD(ProofNode, steps));
  view<Searched>(m, "Searched", "What a search found. Events are references.", FIELD(Searched, answer),
                 FIELD(Searched, proofs), FIELD(Searched, root), COLUMN(Searched, writes), COLUMN(Searched, start));
  nb::class_<Evaluator>(m, "Evaluator", "A relation program on one execution. Events are references.")
      .def(nb::init<const Program&, const HeldExecution&, bool>(), "program"_a, "execution"_a, "two_events"_a,
           nb::keep_alive<1, 2>())
      .def("order", &Evaluator::order, "before"_a, "after"_a,
           "Sets the modification order and evaluates everything under it.")
      .def("broken", &Evaluator::broken)
      .def("breaking", &Evaluator::breaking, "axiom"_a, "The shortest cycle or pair that breaks an axiom.")
      .def("pairs", &Evaluator::pairs, "reg"_a)
      .def("matrix", &Evaluator::matrix, "reg"_a, "Rows of words: bit j of row i is the pair of nodes i and j.")
      .def("members", &Evaluator::members, "reg"_a)
      .def("search", &Evaluator::search, "budget"_a);
}

}  // namespace porf::bindings
