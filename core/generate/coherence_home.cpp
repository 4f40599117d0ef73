// See coherence_home.hpp. A request that memory alone can answer is answered and done: whatever home sends to
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
#include "generate/coherence_home.hpp"

#include <bit>
#include <stdexcept>

namespace porf::generate {

namespace {

std::uint64_t bit_of(int node) { return std::uint64_t{1} << node; }

}  // namespace

Home::Home(Channels& channels)
    : channels_(channels),
      protocol_(channels.machine().protocol),
      lines_(static_cast<std::size_t>(channels.machine().lines)) {}

void Home::handle(const Message& message) {
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

void Home::settle(const Message& message) {
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

void Home::wait(const Message& message) {
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

void Home::serve(const Message& message) {
  Line& line = lines_[message.line];
  if (message.kind == Kind::kGetS) return serve_get_s(message, line);
  if (message.kind == Kind::kGetM) return serve_get_m(message, line);
  serve_put(message, line);
}

void Home::serve_get_s(const Message& message, Line& line) {
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

void Home::serve_get_m(const Message& message, Line& line) {
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

void Home::serve_put(const Message& message, Line& line) {
  if (line.owner == message.from) {
    line.owner = -1;
    if (message.dirty && !channels_.strikes(Fault::kLostWriteback)) line.value = message.value;
  }
  line.sharers &= ~bit_of(message.from);
  channels_.send({.kind = Kind::kPutAck, .from = channels_.home(), .to = message.from, .line = message.line});
}

void Home::send_data(const Message& request, const Line& line, std::uint8_t acks, bool alone) {
  channels_.send({.kind = Kind::kData,
                  .from = channels_.home(),
                  .to = request.from,
                  .acks = acks,
                  .blocks = acks > 0,
                  .alone = alone,
                  .line = request.line,
                  .value = line.value});
}

void Home::forward(Kind kind, const Message& request, std::uint8_t to, std::uint8_t acks) {
  channels_.send({.kind = kind,
                  .from = channels_.home(),
                  .to = to,
                  .requester = request.from,
                  .acks = acks,
                  .line = request.line});
}

void Home::invalidate(const Message& request, std::uint64_t sharers) {
  for (; sharers != 0; sharers &= sharers - 1) {
    forward(Kind::kInv, request, static_cast<std::uint8_t>(std::countr_zero(sharers)), 0);
  }
}

}  // namespace porf::generate
