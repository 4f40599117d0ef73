// The wires of the coherence machine: messages in flight, one FIFO channel a pair of nodes, and the agenda of
// everything that can happen next, from which the machine draws at random. So a message takes any time, and
// now and then a channel is congested, and what is in it takes much longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "generate/coherence.hpp"
#include "generate/random.hpp"

namespace porf::generate {

enum class Kind : std::uint8_t {
  // cache to home
  kGetS,     // give me a copy
  kGetM,     // give me the only copy
  kPut,      // I evict the line that I own; here is its data
  kUnblock,  // I have all that I asked for
  kCopy,     // the data that I have just given to a reader (MESI)
  // home to cache
  kFwdGetS,  // give a copy to the requester
  kFwdGetM,  // give the line to the requester, and lose it
  kInv,      // lose your copy, and tell the requester
  kCount,    // you have the data; so many will acknowledge
  kPutAck,
  // home or owner to requester
  kData,
  // sharer to requester
  kInvAck,
};

struct Message {
  Kind kind;
  std::uint8_t from;
  std::uint8_t to;
  std::uint8_t requester = 0;  // of a forwarded request or invalidation: who gets the answer
  std::uint8_t acks = 0;       // how many invalidations the requester must see acknowledged
  bool blocks = false;         // home waits for an unblock
  bool alone = false;          // data: there is no other copy
  bool dirty = false;          // put: memory may have older data
  std::int32_t line = 0;
  std::int32_t value = 0;
};

// A set of small numbers from which one is drawn at random; every operation takes constant time.
class Agenda {
 public:
  explicit Agenda(std::size_t size) : place_(size, kAbsent) {}

  void add(std::size_t agent) {
    if (place_[agent] != kAbsent) return;
    place_[agent] = static_cast<std::uint32_t>(agents_.size());
    agents_.push_back(static_cast<std::uint32_t>(agent));
  }

  void remove(std::size_t agent) {
    const std::uint32_t place = place_[agent];
    if (place == kAbsent) return;
    agents_[place] = agents_.back();
    place_[agents_[place]] = place;
    agents_.pop_back();
    place_[agent] = kAbsent;
  }

  bool empty() const { return agents_.empty(); }
  std::size_t draw(Random& random) const { return agents_[random.below(static_cast<std::uint32_t>(agents_.size()))]; }

 private:
  static constexpr std::uint32_t kAbsent = 0xffffffff;
  std::vector<std::uint32_t> agents_;
  std::vector<std::uint32_t> place_;
};

// What all parts of the machine share: its description, its dice, its agenda and its channels. The nodes are
// the cpus' caches, 0 to cpus - 1, and home. Agents: the channels, then the cpus, then the store buffers.
class Channels {
 public:
  explicit Channels(const Machine& machine)
      : machine_(machine),
        nodes_(static_cast<std::size_t>(machine.cpus) + 1),
        agenda_(nodes_ * nodes_ + 2 * nodes_),
        random_(machine.seed),
        channels_(nodes_ * nodes_),
        congested_(nodes_ * nodes_) {}

  const Machine& machine() const { return machine_; }
  std::uint8_t home() const { return static_cast<std::uint8_t>(machine_.cpus); }
  Agenda& agenda() { return agenda_; }
  Random& random() { return random_; }
  std::size_t count() const { return channels_.size(); }
  std::size_t issue_agent(std::size_t cpu) const { return channels_.size() + cpu; }
  std::size_t drain_agent(std::size_t cpu) const { return channels_.size() + nodes_ + cpu; }

  // Whether the fault, if it is this one, strikes here and now.
  bool strikes(Fault fault) { return machine_.fault == fault && random_.chance(machine_.fault_rate); }

  void send(const Message& message) {
    const std::size_t at = message.from * nodes_ + message.to;
    if (channels_[at].empty()) congested_[at] = random_.chance(kCongested);
    if (message.kind == Kind::kInv && strikes(Fault::kReorderedAck)) {
      channels_[at].push_front(message);
    } else {
      channels_[at].push_back(message);
    }
    agenda_.add(at);
  }

  // Whether a message that was drawn has to be drawn again.
  bool holds_up(std::size_t channel) { return congested_[channel] != 0 && !random_.chance(kSpeed); }

  Message receive(std::size_t channel) {
    const Message message = channels_[channel].front();
    channels_[channel].pop_front();
    if (channels_[channel].empty()) agenda_.remove(channel);
    return message;
  }

 private:
  static constexpr double kCongested = 1.0 / 8;  // share of channels, each time that one fills
  static constexpr double kSpeed = 1.0 / 64;     // of a congested one

  const Machine& machine_;
  const std::size_t nodes_;
  Agenda agenda_;
  Random random_;
  std::vector<std::deque<Message>> channels_;
  std::vector<std::uint8_t> congested_;
};

}  // namespace porf::generate
