// Candidate executions of litmus tests: a program and a model in, final states out.
#include "candidates/candidates.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "record.hpp"

namespace porf::bindings {

namespace {

using namespace porf::candidates;

nb::list dependencies_of(const Candidate& c) {
  nb::list out;
  for (const auto& [from, to] : c.dependencies) out.append(nb::make_tuple(from, to));
  return out;
}

}  // namespace

void bind_candidates(nb::module_& m) {
  enumeration<Why>(m, "WhyRefused", "Why a program has no candidate executions here.");
  part<Seen>(m, "Seen", "A part of the final state: a register of a thread, or below 0 a place in memory.",
             FIELD(Seen, thread), FIELD(Seen, where), FIELD(Seen, width), FIELD_AS("signed", Seen, is_signed));
  view<Candidate>(m, "Candidate", "A consistent execution, row by row.", FIELD(Candidate, thread),
                  FIELD(Candidate, loc), FIELD(Candidate, rf), FIELD(Candidate, pc), FIELD(Candidate, op),
                  FIELD(Candidate, order), FIELD(Candidate, read), FIELD(Candidate, written), FIELD(Candidate, tags),
                  FIELD(Candidate, orders))
      .def_prop_ro("dependencies", &dependencies_of,
                   nb::sig("def dependencies(self) -> list[tuple[list[int], list[int]]]"));
  view<candidates::FinalState>(m, "CandidateState", "A final state, and the first execution that ends so.",
                               FIELD(candidates::FinalState, values), FIELD(candidates::FinalState, executions),
                               FIELD(candidates::FinalState, first));
  view<candidates::Result>(m, "Candidates", "What the candidate executions of a test end in.",
                           FIELD(candidates::Result, states), FIELD(candidates::Result, candidates),
                           FIELD(candidates::Result, executions), FIELD(candidates::Result, flags),
                           FIELD(candidates::Result, cuts), FIELD(candidates::Result, nowhere),
                           FIELD(candidates::Result, refused), FIELD(candidates::Result, limit));
  enumeration<Exclusive>(m, "Exclusive", "What a load-linked or a store-conditional is.", nb::is_arithmetic());
  m.def(
      "explore_candidates",
      [](const explore::Program& program, const std::vector<std::pair<std::uint64_t, Exclusive>>& marked,
         std::shared_ptr<relations::Program> file, bool two_events, std::uint64_t of_reads, std::uint64_t of_writes,
         std::int64_t unroll, const std::vector<Seen>& seen, Budget& budget) {
        std::vector<Mark> marks;
        for (const auto& [tags, exclusive] : marked) marks.push_back({tags, exclusive});
        if (marks.size() != program.code.size()) throw nb::value_error("a mark for each instruction is needed");
        return unlocked([&] {
          return candidates::explore(program, marks, {std::move(file), two_events, of_reads, of_writes, unroll}, seen,
                                     budget);
        });
      },
      "program"_a, "marks"_a, "file"_a, "two_events"_a, "of_reads"_a, "of_writes"_a, "unroll"_a, "seen"_a, "budget"_a,
      "`marks`: of each instruction its tags, and what it is of an exclusive pair. `of_reads`, `of_writes`: the tags "
      "that the halves of an update keep.");
}

}  // namespace porf::bindings
