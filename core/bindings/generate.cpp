// The machines that generate executions, for porf/generate. The caller checks the columns: they are its own.
#include "generate/coherence.hpp"
#include "generate/simulate.hpp"
#include "record.hpp"

namespace porf::bindings {

namespace {

using Rows = Column<std::int32_t>;
using Ops = Column<std::uint8_t>;

auto by_appearance(Rows labels, std::int32_t count) {
  return to_numpy(generate::number_by_appearance(span_of(labels), count));
}

auto sequential(Rows thread, Ops op, Rows loc, std::int32_t threads, std::int32_t locations) {
  return to_numpy(unlocked(
      [&] { return generate::run_sequential({span_of(thread), span_of(op), span_of(loc), threads, locations}); }));
}

auto release_acquire(Rows thread, Ops op, Rows loc, std::int32_t threads, std::int32_t locations,
                     Column<std::uint32_t> random, std::int32_t window) {
  return to_numpy(unlocked([&] {
    return generate::run_release_acquire({span_of(thread), span_of(op), span_of(loc), threads, locations},
                                         span_of(random), window);
  }));
}

void bind_machine(nb::module_& m) {
  using generate::Fault;
  using generate::Protocol;
  using generate::Recording;
  enumeration<Protocol>(m, "Protocol");
  enumeration<Fault>(m, "ProtocolFault");
  view<Recording>(m, "Recording", "What the cpus did and read.", COLUMN(Recording, thread), COLUMN(Recording, op),
                  COLUMN(Recording, loc), COLUMN(Recording, rf));
  m.def(
      "run_coherence",
      [](Protocol protocol, Fault fault, double fault_rate, bool store_buffers, std::int32_t cpus,
         std::int32_t operations, std::int32_t lines, std::int32_t capacity, double reads, std::uint64_t seed) {
        const generate::Machine machine{protocol,   fault, fault_rate, store_buffers, cpus,
                                        operations, lines, capacity,   reads,         seed};
        Budget budget = make_budget();
        return unlocked([&] {
          auto recording = generate::run_coherence(machine, budget);
          if (budget.spent()) throw Spent{limit_of(budget)};
          return recording;
        });
      },
      nb::kw_only(), "protocol"_a, "fault"_a, "fault_rate"_a, "store_buffers"_a, "cpus"_a, "operations"_a, "lines"_a,
      "capacity"_a, "reads"_a, "seed"_a);
}

}  // namespace

void bind_generate(nb::module_& m) {
  m.def("number_by_appearance", &by_appearance, "labels"_a, "count"_a);
  m.def("run_sequential", &sequential, "thread"_a, "op"_a, "loc"_a, "threads"_a, "locations"_a);
  m.def("run_release_acquire", &release_acquire, "thread"_a, "op"_a, "loc"_a, "threads"_a, "locations"_a, "random"_a,
        "window"_a);
  bind_machine(m);
}

}  // namespace porf::bindings
