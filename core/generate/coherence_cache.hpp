// A cache of the coherence machine: the states of its lines, what it asks of home, and how it answers.
#pragma once

#include <cstdint>
#include <optional>
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

class Cache {
 public:
  Cache(Channels& channels, std::size_t cpu);

  // The value, if the line can be read now. Otherwise the cache sees to it, and `handle` tells when to ask
  // again.
  std::optional<std::int32_t> load(std::int32_t line);
  // Whether the value was written; if not, as above.
  bool store(std::int32_t line, std::int32_t value);
  // Takes a message; true if the line has come to a stable state and the cpu may ask again.
  bool handle(const Message& message);

 private:
  struct Line {
    State state = State::kI;
    std::int8_t missing = 0;  // acknowledgements still to come; negative if they came before the count
    bool unblock = false;     // home waits for us
    std::int32_t place = -1;  // in resident_
    std::int32_t value = 0;
  };

  void request(Kind kind, std::int32_t line);
  void make_room();
  void evict(std::int32_t line);
  void lose(Line& entry);
  void become_resident(std::int32_t line);
  void leave(Line& entry);

  void on_invalidation(const Message& message, Line& entry);
  void on_fwd_get_s(const Message& message, Line& entry);
  void on_fwd_get_m(const Message& message, Line& entry);
  bool on_data(const Message& message, Line& entry);
  bool on_count(std::uint8_t acks, bool blocks, Line& entry, std::int32_t line);
  bool on_ack(Line& entry, std::int32_t line);
  bool finish(Line& entry, std::int32_t line);
  void answer(const Message& forwarded, const Line& entry, std::uint8_t acks);

  Channels& channels_;
  const std::uint8_t self_;
  const Protocol protocol_;
  std::vector<Line> lines_;
  std::vector<std::int32_t> resident_;  // lines that take up room
};

}  // namespace porf::generate
