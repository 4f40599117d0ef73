// The extension module: each family binds itself in a file of its own.
#include "bindings.hpp"

#ifndef _WIN32
#include <signal.h>
#endif

namespace porf::bindings {
void bind_candidates(nb::module_& m);
void bind_registers(nb::module_& m);

// While one lives, Ctrl-C, the end of the terminal and timers wait to be heard by this thread.
class Undisturbed {
#ifndef _WIN32
 public:
  Undisturbed() {
    sigset_t all;
    sigemptyset(&all);
    for (const int number : kEnding) sigaddset(&all, number);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~Undisturbed() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  static constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
  sigset_t before_;
#endif
};
}  // namespace porf::bindings

NB_MODULE(_core, m) {
  // nanobind ends the process if Python's handler of Ctrl-C raises an error in the middle of this.
  const porf::bindings::Undisturbed until_all_is_there;
  // The table of models keeps compiled programs as long as Python lives; that is no leak worth a warning at exit.
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled core of porf: integer columns in, integer columns out.";
  porf::bindings::bind_common(m);
  porf::bindings::bind_formats(m);
  porf::bindings::bind_logs(m);
  porf::bindings::bind_generate(m);
  porf::bindings::bind_relations(m);
  porf::bindings::bind_coherence(m);
  porf::bindings::bind_interleaving(m);
  porf::bindings::bind_registers(m);
  porf::bindings::bind_store_order(m);
  porf::bindings::bind_stress(m);
  porf::bindings::bind_causal(m);
  porf::bindings::bind_verify(m);
  porf::bindings::bind_walks(m);
  porf::bindings::bind_automata(m);
  porf::bindings::bind_program(m);
  porf::bindings::bind_explore(m);
  porf::bindings::bind_candidates(m);
  porf::bindings::bind_testing(m);
}
