// A cache of the coherence machine: the states of its lines, what it asks of home, and how it answers.
//
// The table, without faults; "-" cannot happen, since home serves one request of a
// line at a time and channels keep their order.
//
//          load    store    evict     Inv      FwdGetS      FwdGetM     Data          last ack   PutAck
//   I      GetS/   GetM/    -         ack      -            -           -             -          -
//          IS_D    IM_AD
//   S      hit     GetM/    /I        ack/I    -            -           -             -          -
//                  SM_AD
//   E      hit     hit/M    Put/MI_A  -        data/S or O  data/I      -             -          -
//   O      hit     GetM/    Put/MI_A  -        data         data/I      -             -          -
//                  OM_AD
//   M      hit     hit      Put/MI_A  -        data/S or O  data/I      -             -          -
//   IS_D   wait    wait     -         ack      -            -           /S or E       -          -
//   IM_AD  wait    wait     -         ack      -            -           /IM_A or M    -          -
//   SM_AD  hit     wait     -         ack/     -            -           /IM_A or M    -          -
//                                     IM_AD
//   OM_AD  hit     wait     -         -        data         data/IM_AD  Count/IM_A    -          -
//                                                                       or M
//   IM_A   wait    wait     -         -        -            -           -             /M         -
//   MI_A   wait    wait     -         -        data/SI_A    data/II_A   -             -          /I
//                                              or MI_A
//   SI_A   wait    wait     -         ack/II_A -            -           -             -          /I
//   II_A   wait    wait     -         -        -            -           -             -          /I
//
// MI has no S, E, O: a load sends GetM too. MESI goes from M to S, and sends a copy to home; MOESI goes to O.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "generate/coherence_channels.hpp"

namespace porf::generate {

// Stable states first. In a transient state AB_X the line goes from A to B and waits for X: D is data (or the
// count, for an owner), A is acknowledgements.
enum class State : std::uint8_t {
  kI,     // no copy
  kS,     // a copy among others, read only
  kE,     // the only copy, same as memory
  kO,     // read only, and this cache answers for it: memory is older
  kM,     // the only copy
  kIS_D,  // a copy is on its way
  kIM_AD,
  kSM_AD,  // still readable
  kOM_AD,  // still readable, and still answers
  kIM_A,   // the data is here
  kMM_A,   // as above, but the cpu already works with it: only by the fault early-store-hit
  kMI_A,   // put on its way; still answers
  kSI_A,   // put on its way; another read it meanwhile
  kII_A,   // put on its way; another took it meanwhile
};

[[noreturn]] inline void unexpected() {
  throw std::logic_error("a cache got a message that its state does not expect");
}

inline bool stable(State state) { return state <= State::kM; }

class Cache {
 public:
  Cache(Channels& channels, std::size_t cpu)
      : channels_(channels),
        self_(static_cast<std::uint8_t>(cpu)),
        protocol_(channels.machine().protocol),
        lines_(static_cast<std::size_t>(channels.machine().lines), Line{.value = -1}) {}

  // The value, if the line can be read now. Otherwise the cache sees to it, and `handle` tells when to ask again.
  std::optional<std::int32_t> load(std::int32_t line) {
    Line& entry = lines_[line];
    switch (entry.state) {
      case State::kS:
      case State::kE:
      case State::kO:
      case State::kM:
      case State::kMM_A:
      case State::kSM_AD:
      case State::kOM_AD:
        return entry.value;
      case State::kI:
        make_room();
        become_resident(line);
        entry.state = protocol_ == Protocol::kMi ? State::kIM_AD : State::kIS_D;
        request(protocol_ == Protocol::kMi ? Kind::kGetM : Kind::kGetS, line);
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  // Whether the value was written; if not, as above.
  bool store(std::int32_t line, std::int32_t value) {
    Line& entry = lines_[line];
    switch (entry.state) {
      case State::kE:
      case State::kM:
        entry.state = State::kM;
        entry.value = value;
        return true;
      case State::kMM_A:
        entry.value = value;
        return true;
      case State::kI:
        make_room();
        become_resident(line);
        entry.state = State::kIM_AD;
        request(Kind::kGetM, line);
        return false;
      case State::kS:
        entry.state = State::kSM_AD;
        request(Kind::kGetM, line);
        return false;
      case State::kO:
        entry.state = State::kOM_AD;
        request(Kind::kGetM, line);
        return false;
      default:
        return false;
    }
  }

  // Takes a message; true if the line has come to a stable state and the cpu may ask again.
  bool handle(const Message& message) {
    Line& entry = lines_[message.line];
    switch (message.kind) {
      case Kind::kInv:
        on_invalidation(message, entry);
        return false;
      case Kind::kFwdGetS:
        on_fwd_get_s(message, entry);
        return false;
      case Kind::kFwdGetM:
        on_fwd_get_m(message, entry);
        return false;
      case Kind::kData:
        return on_data(message, entry);
      case Kind::kCount:
        if (entry.state != State::kOM_AD) unexpected();
        return on_count(message.acks, message.blocks, entry, message.line);
      case Kind::kInvAck:
        return on_ack(entry, message.line);
      case Kind::kPutAck:
        if (entry.state < State::kMI_A) unexpected();
        entry.state = State::kI;
        return true;
      default:
        unexpected();
    }
  }

 private:
  struct Line {
    State state = State::kI;
    std::int8_t missing = 0;  // acknowledgements still to come; negative if they came before the count
    bool unblock = false;     // home waits for us
    std::int32_t place = -1;  // in resident_
    std::int32_t value = 0;
  };

  void request(Kind kind, std::int32_t line) {
    channels_.send({.kind = kind, .from = self_, .to = channels_.home(), .line = line});
  }

  // Evicts lines at random until one more has room. A line on its way in or up cannot be evicted; if only
  // such lines are left, the new one has to wait outside the cache proper, as in a miss register.
  void make_room() {
    while (resident_.size() >= static_cast<std::size_t>(channels_.machine().capacity)) {
      const std::size_t start = channels_.random().below(static_cast<std::uint32_t>(resident_.size()));
      std::size_t victim = start;
      while (!stable(lines_[resident_[victim]].state)) {
        victim = (victim + 1) % resident_.size();
        if (victim == start) return;
      }
      evict(resident_[victim]);
    }
  }

  void evict(std::int32_t line) {
    Line& entry = lines_[line];
    if (entry.state == State::kS) return lose(entry);
    channels_.send({.kind = Kind::kPut,
                    .from = self_,
                    .to = channels_.home(),
                    .dirty = entry.state != State::kE,
                    .line = line,
                    .value = entry.value});
    entry.state = State::kMI_A;
    leave(entry);
  }

  void lose(Line& entry) {
    entry.state = State::kI;
    leave(entry);
  }

  void become_resident(std::int32_t line) {
    lines_[line].place = static_cast<std::int32_t>(resident_.size());
    resident_.push_back(line);
  }

  void leave(Line& entry) {
    const std::int32_t place = entry.place;
    resident_[place] = resident_.back();
    lines_[resident_[place]].place = place;
    resident_.pop_back();
    entry.place = -1;
  }

  // Owners are invalidated, rather than asked for their data, only by the fault stale-data.
  void on_invalidation(const Message& message, Line& entry) {
    channels_.send({.kind = Kind::kInvAck, .from = self_, .to = message.requester, .line = message.line});
    switch (entry.state) {
      case State::kS:
        if (!channels_.strikes(Fault::kLostInvalidation)) lose(entry);
        return;
      case State::kE:
      case State::kO:
      case State::kM:
        lose(entry);
        return;
      case State::kSM_AD:
      case State::kOM_AD:
        entry.state = State::kIM_AD;
        return;
      case State::kMI_A:
      case State::kSI_A:
        entry.state = State::kII_A;
        return;
      case State::kIM_A:
      case State::kMM_A:
        unexpected();
      default:
        return;
    }
  }

  void on_fwd_get_s(const Message& message, Line& entry) {
    answer(message, entry, 0);
    const bool owned = protocol_ == Protocol::kMoesi;
    if (!owned) {
      const std::uint8_t home = channels_.home();
      channels_.send({.kind = Kind::kCopy, .from = self_, .to = home, .line = message.line, .value = entry.value});
    }
    switch (entry.state) {
      case State::kM:
        if (channels_.strikes(Fault::kStaleForward)) return;
        [[fallthrough]];
      case State::kE:
        entry.state = owned ? State::kO : State::kS;
        return;
      case State::kMI_A:
        entry.state = owned ? State::kMI_A : State::kSI_A;
        return;
      case State::kO:
      case State::kOM_AD:
        return;
      default:
        unexpected();
    }
  }

  void on_fwd_get_m(const Message& message, Line& entry) {
    answer(message, entry, message.acks);
    switch (entry.state) {
      case State::kM:
      case State::kE:
      case State::kO:
        lose(entry);
        return;
      case State::kOM_AD:
        entry.state = State::kIM_AD;
        return;
      case State::kMI_A:
        entry.state = State::kII_A;
        return;
      default:
        unexpected();
    }
  }

  bool on_data(const Message& message, Line& entry) {
    entry.value = message.value;
    switch (entry.state) {
      case State::kIS_D:
        entry.state = message.alone ? State::kE : State::kS;
        entry.unblock = message.blocks;
        return finish(entry, message.line);
      case State::kIM_AD:
      case State::kSM_AD:
        return on_count(message.acks, message.blocks, entry, message.line);
      default:
        unexpected();
    }
  }

  bool on_count(std::uint8_t acks, bool blocks, Line& entry, std::int32_t line) {
    entry.missing = static_cast<std::int8_t>(entry.missing + acks);
    entry.unblock = blocks;
    entry.state = State::kM;
    if (entry.missing == 0) return finish(entry, line);
    if (channels_.strikes(Fault::kEarlyStoreHit)) {
      entry.state = State::kMM_A;
      return true;
    }
    entry.state = State::kIM_A;
    return false;
  }

  bool on_ack(Line& entry, std::int32_t line) {
    --entry.missing;
    if (entry.missing != 0 || (entry.state != State::kIM_A && entry.state != State::kMM_A)) return false;
    entry.state = State::kM;
    return finish(entry, line);
  }

  bool finish(Line& entry, std::int32_t line) {
    if (entry.unblock) {
      channels_.send({.kind = Kind::kUnblock, .from = self_, .to = channels_.home(), .line = line});
    }
    entry.unblock = false;
    return true;
  }

  void answer(const Message& forwarded, const Line& entry, std::uint8_t acks) {
    channels_.send({.kind = Kind::kData,
                    .from = self_,
                    .to = forwarded.requester,
                    .acks = acks,
                    .blocks = true,
                    .line = forwarded.line,
                    .value = entry.value});
  }

  Channels& channels_;
  const std::uint8_t self_;
  const Protocol protocol_;
  std::vector<Line> lines_;
  std::vector<std::int32_t> resident_;  // lines that take up room
};

}  // namespace porf::generate
