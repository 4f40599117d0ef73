// Exploration under the models that ask for one total order: an engine for each, in three sizes.
#include "explore/orders.hpp"

#include "explore/run.hpp"

namespace porf::explore {

namespace {

template <Kept kKept>
Result ordered(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
               const Poll& poll, const Sizes& sizes) {
  switch (sizes.writes) {
    case 0:
      return run<Orders<kKept, 1>>(program, settings, tasks, poll, sizes);
    case 1:
      return run<Orders<kKept, 4>>(program, settings, tasks, poll, sizes);
    case 2:
      return run<Orders<kKept, 16>>(program, settings, tasks, poll, sizes);
    default:
      return run<Orders<kKept, 64>>(program, settings, tasks, poll, sizes);
  }
}

}  // namespace

Result explore_orders(const Program& program, const Settings& settings, const std::vector<Task>& tasks,
                      const Poll& poll, const Sizes& sizes) {
  switch (settings.model) {
    case Model::kSra:
      return ordered<Kept::kSra>(program, settings, tasks, poll, sizes);
    case Model::kTso:
      return ordered<Kept::kTso>(program, settings, tasks, poll, sizes);
    case Model::kPso:
      return ordered<Kept::kPso>(program, settings, tasks, poll, sizes);
    default:
      return ordered<Kept::kSc>(program, settings, tasks, poll, sizes);
  }
}

}  // namespace porf::explore
