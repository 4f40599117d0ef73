// Home of the coherence machine: memory, and a directory that knows who has which line.
//
// A request that memory alone can answer is answered and done: whatever home sends to
// the same cache later comes later. All others block the line until the requester has its data and all
// acknowledgements; requests that come meanwhile wait in order.
//
//             GetS                            GetM                                Put
//   no owner  data; alone and the first:      data, Inv to sharers; the new       acknowledged; it came late
//             the new owner; else a sharer    owner (blocks if there are sharers)
//   owner is  -                               Count, Inv to sharers (blocks if    memory takes the data;
//   sender                                    there are)                          no owner
//   owner is  FwdGetS (blocks). MESI: owner   FwdGetM, Inv to sharers; the new    acknowledged; it came late
//   another   becomes a sharer, and home      owner (blocks)
//             waits for its copy too
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "generate/coherence_channels.hpp"

namespace porf::generate {

inline std::uint64_t bit_of(int node) { return std::uint64_t{1} << node; }

class Home {
 public:
  explicit Home(Channels& channels)
      : channels_(channels),
        protocol_(channels.machine().protocol),
        lines_(static_cast<std::size_t>(channels.machine().lines)) {}

  void handle(const Message& message) {
    switch (message.kind) {
      case Kind::kGetS:
      case Kind::kGetM:
      case Kind::kPut:
        return lines_[message.line].expected > 0 ? wait(message) : serve(message);
      case Kind::kCopy:
        lines_[message.line].value = message.value;
        return settle(message);
      case Kind::kUnblock:
        return settle(message);
      default:
        throw std::logic_error("home got a message that is not for it");
    }
  }

 private:
  struct Line {
    std::uint64_t sharers = 0;  // without the owner; some may have evicted their copy and not told
    std::int32_t value = -1;    // what memory has
    std::int32_t first = -1;    // waiting requests, a list in waiting_
    std::int32_t last = -1;
    std::int8_t owner = -1;
    std::uint8_t expected = 0;  // messages that end the present request; while there are any, others wait
  };
  struct Waiting {
    Message message;
    std::int32_t next;
  };

  void wait(const Message& message) {
    std::int32_t place = free_;
    if (place >= 0) {
      free_ = waiting_[place].next;
      waiting_[place] = {message, -1};
    } else {
      place = static_cast<std::int32_t>(waiting_.size());
      waiting_.push_back({message, -1});
    }
    Line& line = lines_[message.line];
    (line.last < 0 ? line.first : waiting_[line.last].next) = place;
    line.last = place;
  }

  void serve(const Message& message) {
    Line& line = lines_[message.line];
    if (message.kind == Kind::kGetS) return serve_get_s(message, line);
    if (message.kind == Kind::kGetM) return serve_get_m(message, line);
    serve_put(message, line);
  }

  void serve_get_s(const Message& message, Line& line) {
    if (line.owner == message.from) throw std::logic_error("an owner asks for a copy of its line");
    if (line.owner < 0 || channels_.strikes(Fault::kStaleData)) {
      const bool alone = line.owner < 0 && line.sharers == 0;
      send_data(message, line, 0, alone);
      if (alone) line.owner = static_cast<std::int8_t>(message.from);
      if (!alone) line.sharers |= bit_of(message.from);
      return;
    }
    forward(Kind::kFwdGetS, message, static_cast<std::uint8_t>(line.owner), 0);
    line.sharers |= bit_of(message.from);
    line.expected = 1;
    if (protocol_ == Protocol::kMoesi) return;
    line.sharers |= bit_of(line.owner);
    line.owner = -1;
    line.expected = 2;
  }

  void serve_get_m(const Message& message, Line& line) {
    std::uint64_t sharers = line.sharers & ~bit_of(message.from);
    const bool other_owner = line.owner >= 0 && line.owner != message.from;
    const bool stale = other_owner && channels_.strikes(Fault::kStaleData);
    if (stale) sharers |= bit_of(line.owner);
    const auto acks = static_cast<std::uint8_t>(std::popcount(sharers));
    if (other_owner && !stale) {
      forward(Kind::kFwdGetM, message, static_cast<std::uint8_t>(line.owner), acks);
    } else if (line.owner == message.from) {
      channels_.send({.kind = Kind::kCount,
                      .from = channels_.home(),
                      .to = message.from,
                      .acks = acks,
                      .blocks = acks > 0,
                      .line = message.line});
    } else {
      send_data(message, line, acks, true);
    }
    invalidate(message, sharers);
    line.expected = acks > 0 || (other_owner && !stale) ? 1 : 0;
    line.owner = static_cast<std::int8_t>(message.from);
    line.sharers = 0;
  }

  void serve_put(const Message& message, Line& line) {
    if (line.owner == message.from) {
      line.owner = -1;
      if (message.dirty && !channels_.strikes(Fault::kLostWriteback)) line.value = message.value;
    }
    line.sharers &= ~bit_of(message.from);
    channels_.send({.kind = Kind::kPutAck, .from = channels_.home(), .to = message.from, .line = message.line});
  }

  void settle(const Message& message) {
    Line& line = lines_[message.line];
    if (line.expected == 0) throw std::logic_error("home was told the end of a request that it does not serve");
    --line.expected;
    while (line.expected == 0 && line.first >= 0) {
      const std::int32_t place = line.first;
      line.first = waiting_[place].next;
      if (line.first < 0) line.last = -1;
      waiting_[place].next = free_;
      free_ = place;
      serve(Message(waiting_[place].message));
    }
  }

  void send_data(const Message& request, const Line& line, std::uint8_t acks, bool alone) {
    channels_.send({.kind = Kind::kData,
                    .from = channels_.home(),
                    .to = request.from,
                    .acks = acks,
                    .blocks = acks > 0,
                    .alone = alone,
                    .line = request.line,
                    .value = line.value});
  }

  void forward(Kind kind, const Message& request, std::uint8_t to, std::uint8_t acks) {
    channels_.send({.kind = kind,
                    .from = channels_.home(),
                    .to = to,
                    .requester = request.from,
                    .acks = acks,
                    .line = request.line});
  }

  void invalidate(const Message& request, std::uint64_t sharers) {
    for (; sharers != 0; sharers &= sharers - 1) {
      forward(Kind::kInv, request, static_cast<std::uint8_t>(std::countr_zero(sharers)), 0);
    }
  }

  Channels& channels_;
  const Protocol protocol_;
  std::vector<Line> lines_;
  std::vector<Waiting> waiting_;
  std::int32_t free_ = -1;  // unused places of waiting_, a list
};

}  // namespace porf::generate
