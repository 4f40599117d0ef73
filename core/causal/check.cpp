// A criterion after the other builds on the same pieces: causal order, views, conflicts, store order, reads
// before writes.
#include "causal/check.hpp"

#include <optional>
#include <utility>

#include "causal/conflicts.hpp"
#include "causal/grounds.hpp"
#include "causal/store_order.hpp"
#include "causal/view.hpp"
#include "graph/explanation.hpp"
#include "graph/global_clocks.hpp"
#include "graph/write_lists.hpp"

namespace porf::causal {
namespace {

class Checker {
 public:
  Checker(const Execution& x, Criterion criterion, Budget& budget)
      : x_(x), criterion_(criterion), budget_(budget), index_(write_index(x)), lists_(x) {}

  Result run() {
    if (decide())
      result_.order = std::move(order_);
    else
      result_.answer = result_.breach == Breach::kNone ? Answer::kUndecided : Answer::kInconsistent;
    return std::move(result_);
  }

  const WriteLists& lists() const { return lists_; }
  const Ints& index() const { return index_; }
  const std::optional<StoreOrder>& store_order() const { return store_; }
  const std::optional<GlobalClocks>& clocks() const { return clocks_; }

 private:
  // True if the criterion holds; false if it does not, or the budget is spent.
  bool decide() {
    switch (criterion_) {
      case Criterion::kCcv:
        return causal_order(Keeps::kPo) && conflicts(Keeps::kPo) && acyclic(Keeps::kPo, Kind::kCf);
      case Criterion::kCm:
        return causal_order(Keeps::kPo) && views(Keeps::kPo);
      case Criterion::kCcm:
        return happens_before(Keeps::kPo) && store_order(Keeps::kPo) && acyclic(Keeps::kPo, Kind::kRw);
      case Criterion::kWccm:  // the axiom by location follows: see docs/architecture.md
        return happens_before(Keeps::kPpo) && happens_before(Keeps::kPoLoc) && joint_clocks() &&
               store_order(Keeps::kPpo) && acyclic(Keeps::kPpo, Kind::kRw);
    }
    return false;
  }

  bool happens_before(Keeps keeps) { return causal_order(keeps) && views(keeps) && joint(keeps) && conflicts(keeps); }

  bool causal_order(Keeps keeps) {
    if (!budget_.spend(x_.size()) || !budget_.hold(bytes())) return false;
    Large<Edge> steps = causal_steps(x_, keeps);
    edges_.insert(edges_.end(), steps.begin(), steps.end());
    base_.emplace(graph_of(x_, steps, [](const Edge&) { return true; }));
    if (!base_->acyclic()) return fail(Breach::kCausal, keeps, base_->short_cycle());
    clocks_.emplace(x_, index_);
    clocks_->compute(*base_);
    order_ = base_->order();
    return !budget_.spent();
  }

  // Each thread's view is closed for itself: what one infers, another does not know.
  bool views(Keeps keeps) {
    View view(x_, lists_, index_, *base_, *clocks_, keeps);
    Toil toil;
    for (std::int32_t t = 0; t < x_.threads; ++t) {
      toil.demand(static_cast<std::uint64_t>(x_.size()) * (1 + static_cast<std::uint64_t>(x_.threads) / 4));
      Ints turning = view.saturate(t, edges_, budget_);
      if (!budget_.hold(bytes())) return false;
      if (turning.empty()) continue;
      result_.thread = t;
      return view.reached_initial() ? fail_at_initial(Breach::kView, keeps) : fail(Breach::kView, keeps, turning);
    }
    return true;
  }

  // The union of all views, closed: hb.
  bool joint(Keeps keeps) {
    EdgeGraph graph =
        graph_of(x_, edges_, [&](const Edge& edge) { return edge.keeps == keeps && edge.kind <= Kind::kHb; });
    if (!graph.acyclic()) return fail(Breach::kStore, keeps, graph.short_cycle());
    clocks_->compute(graph);
    return budget_.spend(x_.size());
  }

  // What both program orders say together of writes (whb). Between two writes, ppo is all that po-loc is.
  bool joint_clocks() {
    EdgeGraph graph = graph_of(x_, edges_, [](const Edge& edge) {
      return edge.kind == Kind::kHb || (edge.kind < Kind::kHb && edge.keeps == Keeps::kPpo);
    });
    if (!graph.acyclic()) return fail(Breach::kStore, Keeps::kPpo, graph.short_cycle());
    clocks_->compute(graph);
    return budget_.spend(x_.size());
  }

  bool conflicts(Keeps keeps) {
    for (std::int32_t r = 0; r < x_.size() && budget_.spend(); ++r) {
      bool inside = keeps != Keeps::kPo && x_.rf[r] >= 0 && x_.thread[x_.rf[r]] == x_.thread[r];
      if (!x_.reads(r) || inside) continue;
      if (!add_conflicts(x_, lists_, index_, *clocks_, r, Kind::kCf, keeps, edges_))
        return fail_at_initial(Breach::kStore, keeps);
    }
    return budget_.hold(bytes());
  }

  bool store_order(Keeps keeps) {
    if (!acyclic(keeps, Kind::kCf)) return false;
    store_.emplace(x_, lists_, index_, *clocks_, edges_, order_, budget_);
    if (budget_.spent()) return false;
    for (std::int32_t r = 0; r < x_.size() && budget_.spend(); ++r)
      if (x_.reads(r)) before_writes(r, keeps);
    return budget_.hold(bytes());
  }

  // The read comes before whatever follows the write that it reads; the first of each thread is enough.
  void before_writes(std::int32_t r, Keeps keeps) {
    auto of = lists_.of(x_.loc[r]);
    for (std::size_t i = 0; i < of.size(); ++i) {
      std::int32_t at = x_.rf[r] < 0 ? 0 : store_->after(x_.rf[r])[i];
      if (at == static_cast<std::int32_t>(of[i].size())) continue;
      std::int32_t v = of[i][at];
      if (x_.thread[v] != x_.thread[r] || v < r) edges_.push_back({r, v, Kind::kRw, keeps, r});
    }
  }

  bool acyclic(Keeps keeps, Kind most) {
    Grounds grounds{x_, edges_, Breach::kStore, keeps, -1};
    EdgeGraph graph =
        graph_of(x_, edges_, [&](const Edge& edge) { return edge.kind <= most && grounds.in_axiom(edge); });
    if (!graph.acyclic()) return fail(Breach::kStore, keeps, graph.short_cycle());
    order_ = graph.order();
    if (criterion_ == Criterion::kCcv) clocks_->compute(graph);
    return budget_.spend(x_.size());
  }

  bool fail(Breach breach, Keeps keeps, const Ints& nodes) {
    Grounds grounds{x_, edges_, breach, keeps, result_.thread};
    Explanation explanation(x_.size(), edges_, grounds);
    return tell(breach, keeps, explanation.explain(explanation.cycle_through(nodes)));
  }

  bool fail_at_initial(Breach breach, Keeps keeps) {
    Grounds grounds{x_, edges_, breach, keeps, result_.thread};
    Explanation explanation(x_.size(), edges_, grounds);
    return tell(breach, keeps, explanation.explain({static_cast<std::int32_t>(edges_.size()) - 1}));
  }

  bool tell(Breach breach, Keeps keeps, Explained told) {
    result_.breach = breach;
    result_.keeps = keeps;
    for (std::int32_t edge : told.edges) result_.edges.push_back(edges_[edge]);
    result_.path_start = std::move(told.path_start);
    result_.path = std::move(told.path);
    result_.cycle = std::move(told.cycle);
    return false;
  }

  // Clocks of the causal order and of a view, or of happens-before and the store order; the edges, twice in a graph.
  std::uint64_t bytes() const {
    return 2 * GlobalClocks::bytes_for(x_) + edges_.capacity() * (sizeof(Edge) + 2 * sizeof(EdgeGraph::Edge));
  }

  const Execution& x_;
  Criterion criterion_;
  Budget& budget_;
  Ints index_;
  WriteLists lists_;
  Large<Edge> edges_;
  std::optional<EdgeGraph> base_;
  std::optional<GlobalClocks> clocks_;
  std::optional<StoreOrder> store_;
  Ints order_;
  Result result_;
};

}  // namespace

Result check(const Execution& x, Criterion criterion, Budget& budget) { return Checker(x, criterion, budget).run(); }

PartialOrder partial_store_order(const Execution& x, Criterion criterion, Budget& budget) {
  Checker checker(x, criterion, budget);
  PartialOrder out;
  out.answer = checker.run().answer;
  if (out.answer != Answer::kConsistent || !checker.store_order()) return out;
  const StoreOrder& order = *checker.store_order();
  for (std::int32_t w : checker.lists().writes()) {
    auto of = checker.lists().of(x.loc[w]);
    auto after = order.after(w);
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (after[i] == static_cast<std::int32_t>(of[i].size())) continue;
      out.before.push_back(w);
      out.after.push_back(of[i][after[i]]);
    }
  }
  out.pairs = count_pairs(x, checker.lists(), order);
  return out;
}

Converged count_converged(const Execution& x, Budget& budget) {
  Checker checker(x, Criterion::kCcv, budget);
  Converged out;
  out.answer = checker.run().answer;
  if (out.answer == Answer::kConsistent)
    out.pairs = count_pairs(x, checker.lists(), checker.index(), *checker.clocks());
  return out;
}

}  // namespace porf::causal
