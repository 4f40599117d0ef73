// Incremental checking (the task of Algorithm 5 of Tunç et al. 2023): events one at a time, the answer kept up to date.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coherence/scan.hpp"
#include "execution.hpp"
#include "memory.hpp"

namespace porf::coherence {

enum class Monitored : std::uint8_t { kRelaxed = 0, kRc20 = 1, kRa = 2, kWra = 3, kSra = 4 };

// Events come in an order that respects po and rf. SRA is for executions without updates.
class Monitor {
 public:
  static std::unique_ptr<Monitor> make(Monitored model);
  virtual ~Monitor() = default;

  // Adds an event; the first breach is final, and every later call repeats it.
  Breach feed(std::int32_t thread, std::uint8_t op, std::int32_t loc, std::uint8_t order, std::int32_t rf);

  // The writes of loc (kInitial among them) that a read, or an update, of this thread may read now.
  Ints may_read(std::int32_t thread, std::int32_t loc, bool update);

  std::int32_t size() const { return static_cast<std::int32_t>(thread_.size()); }
  Breach breach() const { return breach_; }

 protected:
  virtual void grow(std::int32_t threads, std::int32_t locations, std::int32_t events) = 0;
  virtual Breach step(const Execution& x, std::int32_t e) = 0;
  // Fills allowed_ from candidates.
  virtual void filter(const Execution& x, std::int32_t thread, std::int32_t loc, bool update, const Ints& candidates,
                      Ints& allowed) = 0;

  Ints index_;

 private:
  Execution view() const;
  void make_room(std::int32_t thread, std::int32_t loc);

  Ints thread_, loc_, rf_;
  Large<std::uint8_t> op_, order_;
  Ints length_;                // per thread
  std::vector<Ints> written_;  // per location
  std::int32_t room_ = 0;      // events the scans have room for
  Breach breach_ = Breach::kFine;
};

}  // namespace porf::coherence
