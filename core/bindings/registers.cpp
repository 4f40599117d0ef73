// Linearizability of registers, for Python.
#include "bindings/time_columns.hpp"
#include "record.hpp"
#include "registers/search.hpp"
#include "registers/zones.hpp"

namespace porf::bindings {

void bind_registers(nb::module_& m) {
  using registers::Search;
  using registers::Zones;
  view<Zones>(m, "Zones", "The answer, with the order of writes or the rows that show that there is none.",
              FIELD(Zones, answer), FIELD(Zones, limit), COLUMN(Zones, mo), COLUMN(Zones, mo_start),
              COLUMN(Zones, part));
  m.def(
      "check_zones",
      [](const Execution& execution, const TimeColumns& times, Budget& budget) {
        const Times known = times_of(times, execution);
        return unlocked([&] {
          Zones found = registers::check_zones(execution, known, budget);
          found.limit = limit_of(budget);
          return found;
        });
      },
      "execution"_a, "times"_a.none(), "budget"_a);
  enumeration<registers::Kind>(m, "RegisterOperation", nb::is_arithmetic(), "What an operation does to a register.");
  view<Search>(m, "RegisterSearch", "The answer, with an order, or the end at which no way was left.",
               FIELD(Search, answer), FIELD(Search, limit), FIELD(Search, last), FIELD(Search, states),
               COLUMN(Search, order));
  m.def(
      "search_register",
      [](Column<std::uint8_t> kind, Column<std::int64_t> start, Column<std::int64_t> end, Column<std::int32_t> found,
         Column<std::int32_t> left, Column<std::int32_t> value, std::int32_t initial, Budget& budget) {
        const std::size_t n = kind.shape(0);
        if (start.shape(0) != n || end.shape(0) != n || found.shape(0) != n || left.shape(0) != n)
          throw std::invalid_argument("columns of different lengths");
        const auto numbers = static_cast<std::int32_t>(value.shape(0));
        for (std::size_t i = 0; i < n; ++i)
          if (found.data()[i] >= numbers || left.data()[i] >= numbers || left.data()[i] < 0 || kind.data()[i] > 3)
            throw std::invalid_argument("an operation names a value that does not exist");
        if (initial < 0 || initial >= numbers) throw std::invalid_argument("the register starts with no value");
        const registers::Operations operations{span_of(kind), span_of(start), span_of(end), span_of(found),
                                               span_of(left), span_of(value), initial};
        return unlocked([&] {
          Search found_ways = registers::search_register(operations, budget);
          found_ways.limit = limit_of(budget);
          return found_ways;
        });
      },
      "kind"_a, "start"_a, "end"_a, "found"_a, "left"_a, "value"_a, "initial"_a, "budget"_a);
}

}  // namespace porf::bindings
