// Home of the coherence machine: memory, and a directory that knows who has which line.
#pragma once

#include <cstdint>
#include <vector>

#include "generate/coherence_channels.hpp"

namespace porf::generate {

class Home {
 public:
  explicit Home(Channels& channels);

  void handle(const Message& message);

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

  void wait(const Message& message);
  void serve(const Message& message);
  void serve_get_s(const Message& message, Line& line);
  void serve_get_m(const Message& message, Line& line);
  void serve_put(const Message& message, Line& line);
  void settle(const Message& message);
  void send_data(const Message& request, const Line& line, std::uint8_t acks, bool alone);
  void forward(Kind kind, const Message& request, std::uint8_t to, std::uint8_t acks);
  void invalidate(const Message& request, std::uint64_t sharers);

  Channels& channels_;
  const Protocol protocol_;
  std::vector<Line> lines_;
  std::vector<Waiting> waiting_;
  std::int32_t free_ = -1;  // unused places of waiting_, a list
};

}  // namespace porf::generate
