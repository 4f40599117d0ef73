#include "explore/early_writes.hpp"

#include <algorithm>

#include "explore/guesses.hpp"
#include "explore/pointer.hpp"

namespace porf::explore {

namespace {

constexpr std::uint64_t kAllocated = std::uint64_t{1} << 63;

}  // namespace

void EarlyFound::add(const EarlyFound& found) {
  auto merge = [](auto& into, const auto& more) {
    into.insert(into.end(), more.begin(), more.end());
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
  };
  merge(early, found.early);
  merge(after, found.after);
}

std::vector<std::int32_t> EarlyFound::reads_of_cycles() const {
  std::map<std::uint64_t, std::vector<std::uint64_t>> next;
  for (const auto& [read, written] : after) next[read].push_back(written);
  std::set<std::int32_t> out;
  for (const EarlyWrite& one : early) {
    if (out.contains(one.pc)) continue;
    std::set<std::uint64_t> seen;
    std::vector<std::uint64_t> waiting{one.written};
    while (!waiting.empty()) {
      const std::uint64_t place = waiting.back();
      waiting.pop_back();
      for (std::uint64_t further : next[place])
        if (seen.insert(further).second) waiting.push_back(further);
    }
    if (seen.contains(one.read)) out.insert(one.pc);
  }
  return {out.begin(), out.end()};
}

// Objects that threads allocate at one place of the code are not told apart.
std::uint64_t EarlyWrites::key(std::int32_t loc) const {
  const std::int64_t pointer = memory_[loc].pointer;
  const Extent& object = memory_.object(number_of(pointer));
  if (object.layout < 0) return static_cast<std::uint64_t>(pointer);
  return kAllocated | static_cast<std::uint64_t>(object.pc) << 32 | static_cast<std::uint32_t>(offset_of(pointer));
}

EarlyFound EarlyWrites::found() const { return {{early_.begin(), early_.end()}, {after_.begin(), after_.end()}}; }

void EarlyWrites::note(const Graph& g, std::int32_t e) {
  const Event& v = g[e];
  if (!v.writes() || v.loc < 0) return;
  if (keeps(kSequences)) check_sequence(g, v);
  if (v.op == kUpdate) after_.insert({key(v.loc), key(v.loc)});
  each_before(g, e, [&](std::int32_t read, bool kept) {
    after_.insert({key(g[read].loc), key(v.loc)});
    if (!kept) early_.insert({g[read].pc, key(g[read].loc), key(v.loc)});
  });
}

// The release sequences of a file may go on with what a thread writes after an update of its own. That is nothing new
// if the update acquires and the write releases, or if the write is an update at the end of a chain of updates that the
// other one is in. What locks do is ordered in any case.
void EarlyWrites::check_sequence(const Graph& g, const Event& v) {
  if (v.role != Role::kNone) return;
  std::int32_t own = v.same;
  while (own >= 0 && g[own].op != kUpdate) own = g[own].same;
  if (own < 0 || (acquires(g[own].order) && releases(v.order))) return;
  std::int32_t e = v.op == kUpdate ? v.rf : kInitial;
  while (e >= 0 && e != own && g[e].op == kUpdate) e = g[e].rf;
  if (e != own) throw WrongGuess{Guess::kSequences};
}

void EarlyWrites::depended(const Graph& g, std::int32_t e) {
  const Event& v = g[e];
  before_.assign(static_cast<std::size_t>(v.index), 0);
  chain_.assign(static_cast<std::size_t>(v.index), -1);
  for (std::int32_t f = v.prev; f >= 0; f = g[f].prev) chain_[static_cast<std::size_t>(g[f].index)] = f;
  std::vector<std::int32_t> waiting;
  auto take = [&](Dependencies::Set set) {
    for (std::int32_t index : dependencies_.members(set)) {
      char& taken = before_[static_cast<std::size_t>(index)];
      if (taken) continue;
      taken = 1;
      waiting.push_back(index);
    }
  };
  const Dependencies::Of& of = dependencies_.of(v.depends);
  if (keeps(kKeptData)) take(of.data);
  if (keeps(kKeptAddress)) take(of.addr);
  if (keeps(kKeptControl)) take(of.ctrl);
  if (!keeps(kKeptChain)) return;
  while (!waiting.empty()) {
    const Event& read = g[chain_[static_cast<std::size_t>(waiting.back())]];
    waiting.pop_back();
    take(dependencies_.of(read.depends).addr);
  }
}

}  // namespace porf::explore
