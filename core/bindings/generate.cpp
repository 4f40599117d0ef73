// The machines that generate executions, for porf/generate. The caller checks the columns: they are its own.
#include "bindings.hpp"
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

}  // namespace

void bind_generate(nb::module_& m) {
  m.def("number_by_appearance", &by_appearance);
  m.def("run_sequential", &sequential);
  m.def("run_release_acquire", &release_acquire);
}

}  // namespace porf::bindings
