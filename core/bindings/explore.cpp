// Exploration of programs: a program as columns and lists in, findings as a dictionary out.
#include "explore/explore.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings.hpp"
#include "relations/engine.hpp"

namespace porf::bindings {

namespace {

using namespace porf::explore;

using Ints = std::vector<std::int32_t>;
using Longs = std::vector<std::int64_t>;
using LoopParts = std::pair<Ints, std::int32_t>;  // live, saved
using TemplateParts =
    std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, Longs, std::vector<Ints>,  // ..., pool
               std::vector<LoopParts>>;
using CellParts =
    std::tuple<std::int32_t, std::int32_t, bool, std::int64_t>;  // offset, width, initialised, initial
using ObjectParts = std::tuple<std::int64_t, std::int32_t, std::vector<CellParts>>;  // size, template
using LocalParts = std::tuple<std::int32_t, std::int32_t, Longs>;                    // slot, size, words
using StartParts = std::pair<std::int32_t, Longs>;

constexpr std::size_t kFields = 12;

std::vector<Object> make_objects(const std::vector<ObjectParts>& parts) {
  std::vector<Object> objects;
  for (const auto& [size, code, cells] : parts) {
    Object object{size, code, {}};
    for (const auto& [offset, width, initialised, initial] : cells)
      object.cells.push_back({offset, static_cast<std::uint8_t>(width), initialised, initial});
    objects.push_back(std::move(object));
  }
  return objects;
}

explore::Program make_program(nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig> code,
                              const std::vector<TemplateParts>& templates,
                              const std::vector<ObjectParts>& objects,
                              const std::vector<ObjectParts>& layouts, const std::vector<LocalParts>& locals,
                              const std::vector<StartParts>& starts,
                              const std::vector<std::pair<std::int32_t, std::int32_t>>& watched) {
  if (code.shape(1) != kFields) throw nb::value_error("an instruction has 12 fields");
  explore::Program program;
  for (std::size_t n = 0; n < code.shape(0); ++n) {
    const std::int32_t* f = code.data() + n * kFields;
    auto byte = [&](int i) { return static_cast<std::uint8_t>(f[i]); };
    program.code.push_back({static_cast<Opcode>(f[0]), byte(1), byte(2), f[3] != 0, byte(4), byte(5),
                            f[6] != 0, f[7], f[8], f[9], f[10], f[11]});
  }
  for (const auto& [entry, registers, private_slots, parameters, pool, lists, loops] : templates) {
    Template t{entry, registers, private_slots, parameters, pool, lists, {}};
    for (const auto& [live, saved] : loops) t.loops.push_back({live, saved});
    program.templates.push_back(std::move(t));
  }
  program.objects = make_objects(objects);
  program.layouts = make_objects(layouts);
  for (const auto& [slot, size, words] : locals) program.locals.push_back({slot, size, words});
  for (const auto& [start, arguments] : starts) program.starts.push_back({start, arguments});
  for (const auto& [thread, reg] : watched) program.watched.push_back({thread, reg});
  return program;
}

nb::dict describe(const BugReport& bug) {
  nb::dict d;
  d["bug"] = static_cast<int>(bug.bug);
  d["event"] = bug.event;
  d["thread"] = bug.thread;
  d["pc"] = bug.pc;
  d["other"] = bug.other;
  d["detail"] = bug.detail;
  d["path"] = bug.path;
  d["events"] = to_numpy(std::vector<std::int64_t>(bug.events));
  d["objects"] = to_numpy(std::vector<std::int64_t>(bug.objects));
  nb::list printed;
  for (const Printed& p : bug.printed) printed.append(nb::make_tuple(p.event, p.thread, p.pc, p.values));
  d["printed"] = printed;
  return d;
}

nb::dict describe(Result&& result) {
  const Findings& f = result.findings;
  nb::dict d;
  d["complete"] = f.complete;
  d["blocked"] = f.blocked;
  d["cut"] = f.cut;
  d["erroneous"] = f.erroneous;
  d["dead"] = f.dead;
  d["graphs"] = f.graphs;
  d["spins"] = f.spins;
  d["explored"] = f.explored;
  nb::dict states;
  for (const auto& [state, count] : f.states) states[nb::tuple(nb::cast(state))] = count;
  d["states"] = states;
  nb::list bugs;
  for (const BugReport& bug : f.bugs) bugs.append(describe(bug));
  d["bugs"] = bugs;
  d["cut_loops"] = Ints(f.cut_loops.begin(), f.cut_loops.end());
  d["spin_loops"] = Ints(f.spin_loops.begin(), f.spin_loops.end());
  nb::list executions, stuck;
  for (const auto& rows : f.executions) executions.append(to_numpy(std::vector<std::int64_t>(rows)));
  for (const auto& rows : f.stuck) stuck.append(to_numpy(std::vector<std::int64_t>(rows)));
  d["executions"] = executions;
  d["stuck"] = stuck;
  nb::list orders;
  for (const WriteOrder& order : f.orders) orders.append(to_numpy(std::vector<std::int32_t>(order)));
  d["orders"] = orders;
  d["fingerprints"] = to_numpy(std::vector<std::uint64_t>(f.fingerprints));
  nb::list remaining;
  for (const Task& task : result.remaining) remaining.append(nb::make_tuple(task.path, task.floor));
  d["remaining"] = remaining;
  d["limit"] = static_cast<int>(result.limit);
  d["too_large"] = result.too_large;
  return d;
}

nb::dict explore_program(const explore::Program& program, int model, int strategy, int race_sync,
                         const std::vector<std::pair<Ints, std::int32_t>>& tasks, std::int64_t unroll,
                         std::uint64_t limit, bool spurious, bool keep_going, bool self_check, bool collect,
                         bool states, bool ordered, bool stop_at_cut, bool leaks, bool liveness,
                         double seconds, std::uint64_t bytes, nb::object progress,
                         const relations::Program* file, bool two_events, bool suspect) {
  Settings settings;
  settings.file = file;
  settings.two_events = two_events;
  settings.suspect = suspect;
  if (settings.file == nullptr && static_cast<Model>(model) == Model::kFile)
    throw nb::value_error("a model file is needed");
  settings.model = static_cast<Model>(model);
  settings.strategy = static_cast<Strategy>(strategy);
  settings.race_sync = static_cast<Sync>(race_sync);
  settings.unroll = unroll;
  settings.limit = limit;
  settings.spurious = spurious;
  settings.recorder = {keep_going, self_check, collect, states, ordered, stop_at_cut, leaks, liveness};
  settings.seconds = seconds;
  settings.bytes = bytes;
  std::vector<Task> list;
  for (const auto& [path, floor] : tasks) list.push_back({path, floor});
  Poll told = [&](const Findings& f) { return poll(progress, f.complete, f.blocked, f.explored); };
  Result result;
  {
    nb::gil_scoped_release release;
    try {
      result = explore::explore(program, settings, list, told);
    } catch (const NoSuchPath&) {
      throw std::invalid_argument("the program has no such path");
    } catch (const relations::Unsettled& unsettled) {
      throw std::runtime_error("register " + std::to_string(unsettled.instruction) + " does not settle");
    }
  }
  return describe(std::move(result));
}

}  // namespace

void bind_explore(nb::module_& m) {
  nb::class_<explore::Program>(m, "Program")
      .def(
          "__init__",
          [](explore::Program* self, nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig> code,
             const std::vector<TemplateParts>& templates, const std::vector<ObjectParts>& objects,
             const std::vector<ObjectParts>& layouts, const std::vector<LocalParts>& locals,
             const std::vector<StartParts>& starts,
             const std::vector<std::pair<std::int32_t, std::int32_t>>& watched) {
            new (self)
                explore::Program(make_program(code, templates, objects, layouts, locals, starts, watched));
          },
          nb::arg("code"), nb::arg("templates"), nb::arg("objects"), nb::arg("layouts"), nb::arg("locals"),
          nb::arg("starts"), nb::arg("watched"));
  m.def("explore", &explore_program, nb::arg("program"), nb::arg("model"), nb::arg("strategy"),
        nb::arg("race_sync"), nb::arg("tasks"), nb::kw_only(), nb::arg("unroll"), nb::arg("limit"),
        nb::arg("spurious"), nb::arg("keep_going"), nb::arg("self_check"), nb::arg("collect"),
        nb::arg("states"), nb::arg("ordered"), nb::arg("stop_at_cut"), nb::arg("leaks"), nb::arg("liveness"),
        nb::arg("seconds"), nb::arg("bytes"), nb::arg("progress").none(), nb::arg("file").none() = nb::none(),
        nb::arg("two_events") = false, nb::arg("suspect") = false);
}

}  // namespace porf::bindings
