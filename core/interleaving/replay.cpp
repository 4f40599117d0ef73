// One pass, one cell a location.
#include "interleaving/replay.hpp"

#include <vector>

namespace porf::interleaving {

bool row_order_is_sequential(const Execution& x) {
  std::vector<std::int32_t> last(x.locations, kInitial);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    if (x.reads(e) && x.rf[e] != last[x.loc[e]]) return false;
    if (x.writes(e)) last[x.loc[e]] = e;
  }
  return true;
}

}  // namespace porf::interleaving
