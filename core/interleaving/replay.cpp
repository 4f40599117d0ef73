// Replaying rows against a memory: one pass, one cell a location.
#include "allowance.hpp"
#include "interleaving/global_order.hpp"

namespace porf::interleaving {

bool row_order_is_sequential(const Execution& x) {
  Toil toil;
  Ints last(x.locations, kInitial);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    toil.demand();
    if (x.reads(e) && x.rf[e] != last[x.loc[e]]) return false;
    if (x.writes(e)) last[x.loc[e]] = e;
  }
  return true;
}

}  // namespace porf::interleaving
