// See simulate.hpp. A message's view is kept only while it is in its location's window, so memory stays small.
#include "generate/simulate.hpp"

#include <algorithm>
#include <stdexcept>

#include "allowance.hpp"
#include "execution.hpp"

namespace porf::generate {

std::vector<std::int32_t> number_by_appearance(std::span<const std::int32_t> labels, std::int32_t count) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(count), -1), out;
  out.reserve(labels.size());
  std::int32_t next = 0;
  for (const std::int32_t label : labels) {
    if (label >= 0 && number[label] < 0) number[label] = next++;
    out.push_back(label < 0 ? label : number[label]);
  }
  return out;
}

std::vector<std::int32_t> run_sequential(const Steps& steps) {
  std::vector<std::int32_t> last(static_cast<std::size_t>(steps.locations), kInitial), rf(steps.op.size(), kInitial);
  for (std::size_t row = 0; row < steps.op.size(); ++row) {
    const std::uint8_t op = steps.op[row];
    if (op == kRead || op == kUpdate) rf[row] = last[steps.loc[row]];
    if (op == kWrite || op == kUpdate) last[steps.loc[row]] = static_cast<std::int32_t>(row);
  }
  return rf;
}

namespace {

// A view says how far a thread has seen each location: a row, or kInitial.
using View = std::vector<std::int32_t>;

class Machine {
 public:
  Machine(const Steps& steps, std::int32_t window)
      : steps_(steps),
        window_(static_cast<std::size_t>(window)),
        rf_(steps.op.size(), kInitial),
        position_(steps.op.size(), 0),
        order_(static_cast<std::size_t>(steps.locations), std::vector<std::int32_t>{kInitial}),
        carried_(static_cast<std::size_t>(steps.locations)),
        views_(static_cast<std::size_t>(steps.threads), View(static_cast<std::size_t>(steps.locations), kInitial)) {
    for (auto& list : carried_) list.push_back(View(static_cast<std::size_t>(steps.locations), kInitial));
  }

  std::vector<std::int32_t> run(std::span<const std::uint32_t> random) {
    Toil toil;
    for (std::size_t i = 0; i < steps_.op.size(); ++i) {
      toil.demand(static_cast<std::uint64_t>(steps_.locations));
      const auto row = static_cast<std::int32_t>(i);
      if (steps_.op[i] == kRead) read(row, choose(row, false, random[i]));
      if (steps_.op[i] == kWrite) write(row, choose(row, true, random[i]));
      if (steps_.op[i] == kUpdate) {
        const std::size_t from = choose(row, true, random[i]);
        read(row, from);
        write(row, from);
      }
    }
    return std::move(rf_);
  }

 private:
  std::size_t position(std::int32_t message) const {
    return message == kInitial ? 0 : static_cast<std::size_t>(position_[message]);
  }

  // A position that the thread may read, or (needs_slot) right after which it may write: not between an
  // update and the message that the update read.
  std::size_t choose(std::int32_t row, bool needs_slot, std::uint32_t random) {
    const std::int32_t loc = steps_.loc[row];
    const auto& order = order_[loc];
    const std::size_t oldest = order.size() > window_ ? order.size() - window_ : 0;
    choices_.clear();
    for (std::size_t p = std::max(oldest, position(views_[steps_.thread[row]][loc])); p < order.size(); ++p) {
      const bool taken = p + 1 < order.size() && steps_.op[order[p + 1]] == kUpdate;
      if (!needs_slot || !taken) choices_.push_back(p);
    }
    return choices_[random % choices_.size()];
  }

  void read(std::int32_t row, std::size_t from) {
    const std::int32_t loc = steps_.loc[row];
    rf_[row] = order_[loc][from];
    View& view = views_[steps_.thread[row]];
    const View& seen = carried_[loc][from - (order_[loc].size() - carried_[loc].size())];
    for (std::size_t x = 0; x < view.size(); ++x) {
      if (position(seen[x]) > position(view[x])) view[x] = seen[x];
    }
  }

  void write(std::int32_t row, std::size_t after) {
    const std::int32_t loc = steps_.loc[row];
    auto& order = order_[loc];
    auto& carried = carried_[loc];
    const std::size_t hidden = order.size() - carried.size();
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(after) + 1, row);
    for (std::size_t p = after + 1; p < order.size(); ++p) position_[order[p]] = static_cast<std::int32_t>(p);
    View& view = views_[steps_.thread[row]];
    view[loc] = row;
    carried.insert(carried.begin() + static_cast<std::ptrdiff_t>(after + 1 - hidden), view);
    if (carried.size() > window_) carried.erase(carried.begin());
  }

  const Steps& steps_;
  const std::size_t window_;
  std::vector<std::int32_t> rf_;
  std::vector<std::int32_t> position_;            // of each message in its location's order
  std::vector<std::vector<std::int32_t>> order_;  // a location's messages, the initial one first
  std::vector<std::vector<View>> carried_;        // the views of the last messages of each order
  std::vector<View> views_;                       // one a thread
  std::vector<std::size_t> choices_;
};

}  // namespace

std::vector<std::int32_t> run_release_acquire(const Steps& steps, std::span<const std::uint32_t> random,
                                              std::int32_t window) {
  if (window < 1) throw std::invalid_argument("the window must hold a message");
  return Machine(steps, window).run(random);
}

}  // namespace porf::generate
