// What an inferred edge stands on, and which edges an axiom speaks of: the rules by which a cycle is explained.
#pragma once

#include <cstdint>
#include <optional>

#include "causal/check.hpp"
#include "causal/edges.hpp"
#include "graph/edge_graph.hpp"

namespace porf::causal {

struct Grounds {
  const Execution& x;
  const Large<Edge>& edges;
  Breach breach;
  Keeps keeps;
  std::int32_t thread;  // of the view, if the breach is in one

  bool told(std::int32_t edge) const { return edges[edge].kind != Kind::kPo; }

  bool in_cycle(std::int32_t number) const {
    const Edge& edge = edges[number];
    if (edge.to < 0) return false;
    if (breach == Breach::kCausal) return edge.kind < Kind::kHb && edge.keeps == keeps;
    if (breach == Breach::kStore) return in_axiom(edge);
    return edge.kind <= Kind::kHb && edge.keeps == keeps && (edge.kind != Kind::kHb || x.thread[edge.read] == thread);
  }

  // Of the axiom over the whole store order that takes this program order.
  bool in_axiom(const Edge& edge) const { return edge.kind >= Kind::kHb || edge.keeps == keeps; }

  bool usable(std::int32_t number, std::int32_t over) const {
    const Edge &step = edges[number], &edge = edges[over];
    bool same = step.keeps == edge.keeps;
    switch (edge.kind) {
      case Kind::kHb:
        return same && step.kind <= Kind::kHb && (step.kind != Kind::kHb || x.thread[step.read] == x.thread[edge.read]);
      case Kind::kCf:
        return same && step.kind <= Kind::kHb;
      case Kind::kRw:
        if (step.kind < Kind::kHb) return same;
        return step.kind == Kind::kHb || (step.kind == Kind::kCf && x.loc[step.from] == x.loc[edge.from]);
      default:
        return false;
    }
  }

  std::optional<EdgeGraph::Edge> path(std::int32_t number) const {
    const Edge& edge = edges[number];
    switch (edge.kind) {
      case Kind::kHb:
      case Kind::kCf:
        return EdgeGraph::Edge(edge.from, edge.read);
      case Kind::kRw:
        if (x.rf[edge.read] >= 0) return EdgeGraph::Edge(x.rf[edge.read], edge.to);
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }
};

}  // namespace porf::causal
