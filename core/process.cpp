// Linux says in /proc how many pages a process has in memory, and sends a signal to the children of one that ends.
#include "process.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#endif

namespace porf {

std::uint64_t resident_bytes([[maybe_unused]] int process) {
#ifdef __linux__
  char name[64] = "/proc/self/statm";
  if (process != 0) std::snprintf(name, sizeof name, "/proc/%d/statm", process);
  const int file = open(name, O_RDONLY | O_CLOEXEC);  // not kept open: a copy of this process has its own
  if (file < 0) return 0;
  char text[128] = {};
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  char* after = nullptr;
  std::strtoull(text, &after, 10);  // the size of its addresses comes first
  return std::strtoull(after, nullptr, 10) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#else
  return 0;
#endif
}

void end_with_parent() {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

}  // namespace porf
