// WRA over a whole execution (Theorem 1.5 of Tunç et al. 2023).
#include <utility>

#include "coherence/check.hpp"
#include "coherence/schedule.hpp"
#include "coherence/wra_scan.hpp"
#include "kernel.hpp"

namespace porf::coherence {
Result check_wra(const Execution& x, Budget& budget) {
  Result result;
  Schedule schedule = make_schedule(x, budget);
  if (!schedule.cycle.empty()) return broken_by(std::move(schedule));
  const std::uint64_t base_bytes = Scan<Sync::kAll>::bytes_for(x.threads);
  if (!budget.hold(base_bytes)) {
    result.answer = Answer::kUndecided;
    return result;
  }
  WraScan scan(x.threads, x.locations, x.size());
  Toil toil;
  for (std::int32_t step = 0; step < x.size() && !budget.spent(); ++step) {
    std::int32_t e = schedule.at(step);
    result.breach = scan.step(x, schedule.index, e);
    if (result.breach != Breach::kFine) {
      result.answer = Answer::kInconsistent;
      result.access = scan.witness_access();
      result.event = e;
      return result;
    }
    budget.spend();
    toil.demand(8 + 2 * static_cast<std::uint64_t>(x.threads));
    if ((step & 0xfff) == 0) budget.hold(base_bytes + scan.bytes());
  }
  if (budget.spent())
    result.answer = Answer::kUndecided;
  else
    order_of_writes(x, schedule.order, result);
  return result;
}

const Kernel kWra("wra", &check_wra);

}  // namespace porf::coherence
