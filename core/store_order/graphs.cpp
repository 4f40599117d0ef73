// The graphs of the four models, with linearly many edges each.
#include "store_order/graphs.hpp"

#include <unordered_map>

namespace porf::store_order {
namespace {

using Edges = Large<EdgeGraph::Edge>;

bool plain_write(const Execution& x, std::int32_t e) { return x.op[e] == kWrite; }

void add_rf(const Execution& x, bool external_only, Edges& edges) {
  for (std::int32_t e = 0; e < x.size(); ++e) {
    if (!x.reads(e) || x.rf[e] < 0) continue;
    if (external_only && x.thread[x.rf[e]] == x.thread[e]) continue;
    edges.emplace_back(x.rf[e], e);
  }
}

Graph sequential(const Execution& x) {
  Graph graph;
  Ints last(x.threads, -1);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    if (last[x.thread[e]] >= 0) graph.edges.emplace_back(last[x.thread[e]], e);
    last[x.thread[e]] = e;
  }
  add_rf(x, false, graph.edges);
  return graph;
}

// Program order of one location, and rf. With hazards, plain reads of a location are not ordered among themselves.
Graph uniprocessor(const Execution& x, bool hazards) {
  struct Line {
    std::int32_t last = -1;  // the last access, or with hazards the last that writes
    Ints reads;              // with hazards: the plain reads since then
  };
  Graph graph;
  std::unordered_map<std::uint64_t, Line> lines;
  for (std::int32_t e = 0; e < x.size(); ++e) {
    if (x.op[e] == kFence) continue;
    auto key = static_cast<std::uint64_t>(x.thread[e]) << 32 | static_cast<std::uint32_t>(x.loc[e]);
    Line& line = lines[key];
    if (line.last >= 0) graph.edges.emplace_back(line.last, e);
    if (hazards && x.op[e] == kRead) {
      line.reads.push_back(e);
      continue;
    }
    for (std::int32_t r : line.reads) graph.edges.emplace_back(r, e);
    line.reads.clear();
    line.last = e;
  }
  add_rf(x, false, graph.edges);
  return graph;
}

// TSO: all but a plain write and a later plain read keep their order. A thread is two lines: its plain
// writes, and all else.
Graph total_store_order(const Execution& x) {
  Graph graph;
  Ints write(x.threads, -1), other(x.threads, -1);
  for (std::int32_t e = 0; e < x.size(); ++e) {
    std::int32_t& w = write[x.thread[e]];
    std::int32_t& o = other[x.thread[e]];
    if (o >= 0) graph.edges.emplace_back(o, e);
    if (w >= 0 && x.op[e] != kRead) graph.edges.emplace_back(w, e);
    (plain_write(x, e) ? w : o) = e;
  }
  add_rf(x, true, graph.edges);
  return graph;
}

// PSO: a plain write is kept before later fences only.
Graph partial_store_order(const Execution& x) {
  Graph graph;
  Ints other(x.threads, -1);
  std::vector<Ints> delayed(x.threads);  // plain writes since the last fence
  for (std::int32_t e = 0; e < x.size(); ++e) {
    std::int32_t t = x.thread[e];
    if (other[t] >= 0) graph.edges.emplace_back(other[t], e);
    if (x.op[e] == kFence) {
      for (std::int32_t w : delayed[t]) graph.edges.emplace_back(w, e);
      delayed[t].clear();
    }
    if (plain_write(x, e))
      delayed[t].push_back(e);
    else
      other[t] = e;
  }
  add_rf(x, true, graph.edges);
  return graph;
}

// RMO's dp: address and data dependencies, from a read.
Large<EdgeGraph::Edge> dependencies_of(const Execution& x) {
  Large<EdgeGraph::Edge> edges;
  for (DependencyKind kind : {kAddress, kData}) {
    const auto& [from, to] = x.dependencies[kind];
    for (std::size_t i = 0; i < from.size(); ++i)
      if (x.reads(from[i])) edges.emplace_back(from[i], to[i]);
  }
  return edges;
}

// RMO: dependencies and fences.
Graph relaxed_memory_order(const Execution& x) {
  Graph graph;
  graph.edges = dependencies_of(x);
  Ints fence(x.threads, -1);
  std::vector<Ints> since(x.threads);  // events since the last fence
  for (std::int32_t e = 0; e < x.size(); ++e) {
    std::int32_t t = x.thread[e];
    if (fence[t] >= 0) graph.edges.emplace_back(fence[t], e);
    if (x.op[e] == kFence) {
      for (std::int32_t earlier : since[t]) graph.edges.emplace_back(earlier, e);
      since[t].clear();
      fence[t] = e;
    } else {
      since[t].push_back(e);
    }
  }
  add_rf(x, true, graph.edges);
  return graph;
}

Graph thin_air(const Execution& x) {
  Graph graph;
  graph.ordered = false;
  graph.edges = dependencies_of(x);
  add_rf(x, false, graph.edges);
  return graph;
}

}  // namespace

std::vector<Graph> graphs_of(const Execution& x, Model model) {
  switch (model) {
    case Model::kSc:
      return {sequential(x)};
    case Model::kTso:
      return {uniprocessor(x, false), total_store_order(x)};
    case Model::kPso:
      return {uniprocessor(x, false), partial_store_order(x)};
    case Model::kRmo:
      return {uniprocessor(x, true), relaxed_memory_order(x), thin_air(x)};
  }
  return {};
}

}  // namespace porf::store_order
