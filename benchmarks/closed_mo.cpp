// RA consistency one event at a time, with a modification order that is always closed, after C11Tester (Luo and Demsky
// 2021): each write has a clock of the writes before it, and a new edge is passed on to all that come after. The same
// as closed_mo_baseline.py, in C++ and with clocks, so that times can be compared. Built by test_online.py.
#include <ctime>
#include <vector>

namespace {

struct Write {
  int thread;
  unsigned index;         // in its thread, from 1 on
  int update = -1;        // that reads it
  std::vector<int> next;  // edges of the modification order
};

// The accesses of a location by a thread: their indices, and the write that each leaves there.
struct Line {
  std::vector<unsigned> index;
  std::vector<int> write;
};

class ClosedOrder {
 public:
  ClosedOrder(int threads, int locations)
      : k_(threads + 1), now_(static_cast<std::size_t>(k_) * k_), lines_(static_cast<std::size_t>(locations) * k_) {
    for (int loc = 0; loc < locations; ++loc) add_write(threads, 1);  // the initial one, of a thread of its own
  }

  // Whether the execution is still consistent with an event; op is 0 for a read, 1 for a write, 2 for an update.
  bool feed(int e, int thread, int op, int loc, int rf) {
    if (static_cast<std::size_t>(e) >= node_.size()) node_.resize(2 * static_cast<std::size_t>(e) + 1);
    unsigned* clock = &now_[static_cast<std::size_t>(thread) * k_];
    int from = rf < 0 ? loc : node_[rf];
    before_.clear();
    for (int u = 0; u < k_; ++u) {
      const Line& line = lines_[static_cast<std::size_t>(loc) * k_ + u];
      std::size_t n = count(line, clock[u]);
      if (n > 0 && (op == 1 || line.write[n - 1] != from)) before_.push_back(line.write[n - 1]);
    }
    ++clock[thread];
    if (op == 1) {
      from = add_write(thread, clock[thread]);
      follow(before_.empty() ? std::vector<int>{loc} : before_, from);
    } else {
      if (op == 2 && writes_[from].update >= 0) return false;
      for (int p : before_)
        if (reaches(from, p) || !order(p, from)) return false;
    }
    if (op == 2) from = add_update(from, thread, clock[thread]);
    if (op != 1 && rf >= 0) join(clock, view(rf));
    views_.insert(views_.end(), clock, clock + k_);
    node_[e] = from;
    Line& own = lines_[static_cast<std::size_t>(loc) * k_ + thread];
    own.index.push_back(clock[thread]);
    own.write.push_back(from);
    return true;
  }

 private:
  // How many of a line have an index that is not above one: they are at its end, mostly.
  static std::size_t count(const Line& line, unsigned most) {
    std::size_t low = 0, high = line.index.size();
    if (high == 0 || line.index.back() <= most) return high;
    while (low < high) {
      std::size_t middle = (low + high) / 2;
      if (line.index[middle] <= most)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  unsigned* clock(int w) { return &clocks_[static_cast<std::size_t>(w) * k_]; }
  const unsigned* view(int e) const { return &views_[static_cast<std::size_t>(e) * k_]; }

  bool join(unsigned* into, const unsigned* from) const {
    bool more = false;
    for (int t = 0; t < k_; ++t)
      if (into[t] < from[t]) into[t] = from[t], more = true;
    return more;
  }

  bool reaches(int a, int b) { return clock(b)[writes_[a].thread] >= writes_[a].index; }

  int add_write(int thread, unsigned index) {
    writes_.push_back({thread, index, -1, {}});
    clocks_.resize(clocks_.size() + k_);
    int w = static_cast<int>(writes_.size()) - 1;
    clock(w)[thread] = index;
    return w;
  }

  // Nothing comes between a write and its update: what came after the write comes after the update.
  int add_update(int from, int thread, unsigned index) {
    int u = add_write(thread, index);
    writes_[u].next.swap(writes_[from].next);
    writes_[from].next.push_back(u);
    writes_[from].update = u;
    join(clock(u), clock(from));
    pass_on(u);
    return u;
  }

  // A new write comes after these.
  void follow(const std::vector<int>& before, int w) {
    for (int p : before) {
      while (writes_[p].update >= 0) p = writes_[p].update;
      writes_[p].next.push_back(w);
      join(clock(w), clock(p));
    }
  }

  // False if that closes a cycle.
  bool order(int a, int b) {
    while (writes_[a].update >= 0) {
      a = writes_[a].update;
      if (a == b) return true;
    }
    if (a == b || reaches(a, b)) return true;
    if (reaches(b, a)) return false;
    writes_[a].next.push_back(b);
    if (join(clock(b), clock(a))) pass_on(b);
    return true;
  }

  void pass_on(int w) {
    todo_.push_back(w);
    while (!todo_.empty()) {
      int at = todo_.back();
      todo_.pop_back();
      for (int after : writes_[at].next)
        if (join(clock(after), clock(at))) todo_.push_back(after);
    }
  }

  int k_;
  std::vector<unsigned> now_;    // thread -> what it has seen
  std::vector<unsigned> views_;  // event -> what its thread has seen with it
  std::vector<int> node_;        // event -> the write that it leaves
  std::vector<Write> writes_;
  std::vector<unsigned> clocks_;  // write -> what comes before it
  std::vector<Line> lines_;       // location, thread ->
  std::vector<int> before_, todo_;
};

}  // namespace

// How many events there were before one that is inconsistent, or before the time was up: then `seconds` is negative.
extern "C" long follow(long events, int threads, int locations, const int* thread, const unsigned char* op,
                       const int* loc, const int* rf, double most, double* seconds) {
  std::clock_t start = std::clock();
  auto spent = [&] { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; };
  ClosedOrder order(threads, locations);
  for (long e = 0; e < events; ++e) {
    if (e % 256 == 0 && spent() > most) return *seconds = -1, e;
    if (!order.feed(static_cast<int>(e), thread[e], op[e], loc[e], rf[e])) return *seconds = spent(), e;
  }
  return *seconds = spent(), events;
}
