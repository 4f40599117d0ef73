// The machines that generate executions, for porf/generate. The caller checks the columns: they are its own.
#include "bindings.hpp"
#include "generate/coherence.hpp"
#include "generate/simulate.hpp"

namespace porf::bindings {

namespace {

using Rows = Column<std::int32_t>;
using Ops = Column<std::uint8_t>;

auto by_appearance(Rows labels, std::int32_t count) {
  return to_numpy(generate::number_by_appearance(span_of(labels), count));
}

auto sequential(Rows thread, Ops op, Rows loc, std::int32_t threads, std::int32_t locations) {
  std::vector<std::int32_t> rf;
  {
    nb::gil_scoped_release release;
    rf = generate::run_sequential({span_of(thread), span_of(op), span_of(loc), threads, locations});
  }
  return to_numpy(std::move(rf));
}

auto release_acquire(Rows thread, Ops op, Rows loc, std::int32_t threads, std::int32_t locations,
                     Column<std::uint32_t> random, std::int32_t window) {
  std::vector<std::int32_t> rf;
  {
    nb::gil_scoped_release release;
    rf = generate::run_release_acquire({span_of(thread), span_of(op), span_of(loc), threads, locations},
                                       span_of(random), window);
  }
  return to_numpy(std::move(rf));
}

// Protocols and faults are numbered as in coherence.hpp. The budget has no end; it is there for Ctrl-C.
auto coherence(std::uint8_t protocol, std::uint8_t fault, double fault_rate, bool store_buffers,
               std::int32_t cpus, std::int32_t operations, std::int32_t lines, std::int32_t capacity,
               double reads, std::uint64_t seed) {
  const generate::Machine machine{static_cast<generate::Protocol>(protocol),
                                  static_cast<generate::Fault>(fault),
                                  fault_rate,
                                  store_buffers,
                                  cpus,
                                  operations,
                                  lines,
                                  capacity,
                                  reads,
                                  seed};
  Budget budget = make_budget(0, 0, 0, nb::none());
  generate::Recording recording;
  {
    nb::gil_scoped_release release;
    recording = generate::run_coherence(machine, budget);
  }
  return nb::make_tuple(to_numpy(std::move(recording.thread)), to_numpy(std::move(recording.op)),
                        to_numpy(std::move(recording.loc)), to_numpy(std::move(recording.rf)));
}

}  // namespace

void bind_generate(nb::module_& m) {
  m.def("number_by_appearance", &by_appearance);
  m.def("run_sequential", &sequential);
  m.def("run_release_acquire", &release_acquire);
  m.def("run_coherence", &coherence);
}

}  // namespace porf::bindings
