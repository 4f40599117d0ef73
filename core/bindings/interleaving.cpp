// SC, TSO and interleavings, for Python.
#include <nanobind/stl/vector.h>

#include "bindings/time_columns.hpp"
#include "interleaving/follower.hpp"
#include "interleaving/global_order.hpp"
#include "record.hpp"

namespace porf::bindings {

void bind_interleaving(nb::module_& m) {
  using interleaving::Derived;
  using interleaving::Result;
  enumeration<interleaving::Memory>(m, "Memory");
  enumeration<interleaving::Time>(m, "RealTime", "What real time orders in a global order.");
  enumeration<interleaving::Ground>(m, "Ground", "How an edge of the global order came about.");
  enumeration<interleaving::Uniprocessor>(m, "Uniprocessor", "What is wrong with a thread's accesses of one location.");
  view<Derived>(m, "DerivedEdge", "An edge of the global order, and the read that it stands on.",
                FIELD_AS("source", Derived, from), FIELD_AS("target", Derived, to), FIELD(Derived, ground),
                FIELD(Derived, read));
  view<Result>(m, "GlobalOrder", "The answer, with what shows it.", FIELD(Result, answer), FIELD(Result, limit),
               FIELD(Result, edges), FIELD(Result, breach), FIELD(Result, read), FIELD(Result, own),
               FIELD(Result, states), FIELD(Result, saturated), FIELD(Result, pairs), FIELD(Result, ordered),
               FIELD(Result, path_start), FIELD(Result, path), FIELD(Result, cycle), COLUMN(Result, order));
  m.def(
      "check_global_order",
      [](const Execution& execution, const TimeColumns& times, interleaving::Memory memory, interleaving::Time time,
         bool saturate, Budget& budget) {
        const Times known = times_of(times, execution);
        return unlocked([&] {
          Result result = interleaving::check_global_order(execution, known, memory, time, saturate, budget);
          result.limit = limit_of(budget);
          return result;
        });
      },
      "execution"_a, "times"_a.none(), "memory"_a, "time"_a, "saturate"_a, "budget"_a);
  using interleaving::Follower;
  nb::class_<Follower>(m, "Follower", "SC and TSO of events as they come, in bounded memory.")
      .def(nb::init<interleaving::Memory>(), "memory"_a)
      .def("feed", &Follower::feed, "thread"_a, "op"_a, "loc"_a, "rf"_a,
           "Whether what is kept, with this event, has a global order.")
      .def_prop_ro("stale", &Follower::stale)
      .def_prop_ro("exact", &Follower::exact)
      .def_prop_ro("forgotten", &Follower::forgotten)
      .def_prop_ro("searches", &Follower::searches)
      .def("kept", &Follower::kept, "The numbers of the events that are kept, ascending.");
  m.def("row_order_is_sequential", &interleaving::row_order_is_sequential, "execution"_a, Unlocked());
}

}  // namespace porf::bindings
