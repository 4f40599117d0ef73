// Decides an inclusion: words without letters, then the search; powers only where a word seems to need them.
#include "automata/inclusion.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "automata/search.hpp"
#include "automata/simulation.hpp"

namespace porf::automata {
namespace {

class Inclusion {
 public:
  Inclusion(const Question& question, Budget& budget)
      : question_(question),
        budget_(budget),
        alphabet_(question, budget),
        rotating_(readers_that_rotate()),
        plain_(plain_part(), alphabet_, budget),
        left_(question, alphabet_, unread(), budget),
        above_(simulation(left_.body(), left_.body(), budget)),
        answers_{simulation(left_.body(), plain_.nfa(), budget)} {
    for (const Reader& reader : rotating_) answers_.push_back(simulation(left_.body(), reader.nfa(), budget));
  }

  Finding decide() {
    Finding answer;
    if (!budget_.hold(held())) return answer;
    if (refuses_empty_word(answer)) return answer;
    Configurations tracked(plain_, rotating_, question_.loops, false);
    Configurations untracked(plain_, {}, question_.loops, false);
    std::optional<Refused> refused = search(tracked, untracked, answer);
    if (question_.loops && plain_.states() > 0 && refused) {
      Configurations exact(plain_, rotating_, true, true);
      if (accepts_power(exact, *refused)) refused = search(exact, untracked, answer);
    }
    if (refused) {
      spell(*refused, answer);
    } else if (!budget_.spent()) {
      answer.included = Included::kHolds;
    }
    return answer;
  }

 private:
  std::vector<Reader> readers_that_rotate() const {
    std::vector<Reader> out;
    for (std::size_t i = 0; i < question_.right.size(); ++i) {
      if (question_.rotate[i]) out.emplace_back(alphabet_.over_readings(question_, i), alphabet_, budget_);
    }
    return out;
  }

  // Words that are no cycles are read by all right automata as they stand.
  Nfa plain_part() const {
    std::vector<Nfa> parts;
    for (std::size_t i = 0; i < question_.right.size(); ++i) {
      if (!question_.rotate[i] || !question_.loops) parts.push_back(alphabet_.over_readings(question_, i));
    }
    return united(parts, alphabet_.readings(), alphabet_.classes());
  }

  // A cycle through a class that is accepted without letters is accepted, where cycles may be cut anywhere.
  std::vector<Word> unread() const {
    std::vector<Word> out(at((alphabet_.classes() + 63) / 64));
    for (const Reader& reader : rotating_) {
      if (question_.loops) or_row(out.data(), reader.empty_words().data(), out.size());
    }
    return out;
  }

  std::uint64_t held() const {
    std::uint64_t bytes = plain_.bytes() + sizeof(Word) * above_.data.size();
    for (const Reader& reader : rotating_) bytes += reader.bytes();
    for (const BitRows& rows : answers_) bytes += sizeof(Word) * rows.data.size();
    return bytes;
  }

  bool refuses_empty_word(Finding& answer) const {
    std::int32_t refused = -1;
    for_each_bit(left_.empty_words().data(), left_.empty_words().size(), [&](std::size_t cls) {
      if (refused < 0 && !test(plain_.empty_words().data(), cls)) refused = static_cast<std::int32_t>(cls);
    });
    if (refused < 0) return false;
    answer.included = Included::kFails;
    answer.atoms = {alphabet_.atoms(refused).front()};
    return true;
  }

  std::optional<Refused> search(Configurations& tracked, Configurations& untracked, Finding& answer) const {
    Search search(left_, question_.loops ? cycles(tracked) : paths(tracked, untracked), above_, answers_, held(),
                  budget_);
    std::optional<Refused> refused = search.run();
    answer.nodes += search.nodes();
    return refused;
  }

  // Classes that no final set tells apart make one kind. A class that the plain part accepts without letters
  // makes none: the power 0 of its cycles is accepted.
  std::vector<Kind> cycles(Configurations& tracked) const {
    std::map<std::vector<bool>, std::vector<std::int32_t>> alike;
    for (std::int32_t cls = 0; cls < alphabet_.classes(); ++cls) {
      if (test(plain_.empty_words().data(), at(cls))) continue;
      std::vector<bool> column;
      for (const Nfa* nfa : {&left_.body(), &plain_.nfa()}) {
        for (std::size_t s = 0; s < at(nfa->states); ++s) column.push_back(test(nfa->final[s], at(cls)));
      }
      alike[column].push_back(cls);
    }
    std::vector<Kind> out;
    for (const auto& [column, classes] : alike) {
      Kind kind{std::vector<Word>(plain_.empty_words().size()), classes.front(), classes.front(), &tracked};
      for (std::int32_t cls : classes) set(kind.first.data(), at(cls));
      out.push_back(std::move(kind));
    }
    return out;
  }

  // Where a class has two atoms, a word from one to the other is no cycle, and not easier than a cycle.
  std::vector<Kind> paths(Configurations& tracked, Configurations& untracked) const {
    const std::size_t words = at((alphabet_.classes() + 63) / 64);
    std::vector<Kind> out{{std::vector<Word>(words), -1, -1, &untracked}};
    for (std::int32_t cls = 0; cls < alphabet_.classes(); ++cls) {
      if (!rotating_.empty() && alphabet_.atoms(cls).size() == 1) {
        out.push_back({std::vector<Word>(words), -1, cls, &tracked});
        set(out.back().first.data(), at(cls));
      } else {
        set(out.front().first.data(), at(cls));
      }
    }
    return out;
  }

  bool accepts_power(Configurations& exact, const Refused& refused) const {
    std::vector<Word> row(exact.width());
    exact.begin(row.data());
    for (std::int32_t reading : refused.readings) {
      exact.take(row.data());
      if (!budget_.spend(exact.read(reading, row.data()))) return true;  // the search will not go on
    }
    return exact.accepts(row.data(), refused.last, true);
  }

  void spell(const Refused& refused, Finding& answer) const {
    const Left::Spelling word = left_.spell(refused.readings, refused.first, refused.last);
    answer.included = Included::kFails;
    answer.letters = word.letters;
    for (std::int32_t cls : word.classes) answer.atoms.push_back(alphabet_.atoms(cls).front());
    if (!question_.loops && refused.first == refused.last) answer.atoms.back() = alphabet_.atoms(refused.last).back();
  }

  const Question& question_;
  Budget& budget_;
  Alphabet alphabet_;
  std::vector<Reader> rotating_;
  Reader plain_;
  Left left_;
  BitRows above_;
  std::vector<BitRows> answers_;  // by right automaton: the states that simulate a left one, the plain one first
};

}  // namespace

void Question::validate() const {
  const auto size = at(letters);
  if (letters < 0 || below.size() != size * size) throw std::invalid_argument("below: letters times letters entries");
  if (rotate.size() != right.size()) throw std::invalid_argument("rotate: one entry for each right automaton");
  auto check = [&](const GuardedAutomaton& automaton) {
    if (automaton.atoms != left->atoms) throw std::invalid_argument("automata over different atoms");
    if (std::any_of(automaton.letter.begin(), automaton.letter.end(), [&](std::int32_t r) { return r >= letters; }))
      throw std::invalid_argument("a transition has a letter that is not there");
  };
  check(*left);
  for (const GuardedAutomaton* automaton : right) check(*automaton);
}

Finding include(const Question& question, Budget& budget) {
  question.validate();
  return Inclusion(question, budget).decide();
}

}  // namespace porf::automata
