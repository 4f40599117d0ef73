// How logs spell things: threads and locations become names that histories can have, and known words what they mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/raw.hpp"
#include "logs/meaning.hpp"

namespace porf::logs {

// A text as a word of histories: what cannot stand in one is written %20 and so on, and so is %, so that different
// texts stay different.
std::string as_word(std::string_view text);

// Every spelling is looked at once. Numbers in hex are the same however they are written.
class Spellings {
 public:
  // `number_of` gives a name that is new its number.
  template <typename NumberOf>
  std::int32_t number(std::string_view text, const NumberOf& number_of) {
    const std::int32_t spelling = spellings_.intern(text);
    if (spelling < static_cast<std::int32_t>(number_.size())) return number_[spelling];
    const std::int32_t key = keys_.intern(key_of(text));
    if (key == static_cast<std::int32_t>(of_key_.size())) of_key_.push_back(number_of(fresh_name(text)));
    number_.push_back(of_key_[key]);
    return number_.back();
  }

 private:
  static std::string key_of(std::string_view text);
  std::string fresh_name(std::string_view text);

  formats::Names spellings_, keys_, taken_;
  Ints number_, of_key_;
};

// Words of a log, in small letters or large ones.
class Vocabulary {
 public:
  explicit Vocabulary(std::vector<Word> words) : words_(std::move(words)) {}

  // What a word stands for, or null.
  const Word* find(std::string_view text);
  // A word that was not known until now.
  const Word* add(std::string_view text, Word word);

 private:
  std::vector<Word> words_;
  formats::Names seen_;
  Ints known_;  // of each that was seen: its place in `words_`, or -1
};

}  // namespace porf::logs
