// See spellings.hpp.
#include "logs/spellings.hpp"

#include <algorithm>

namespace porf::logs {

namespace {

bool separates(char c) { return static_cast<unsigned char>(c) <= 0x20 || c == '#' || c == '=' || c == 0x7f; }

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool is_hex(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
         text.substr(2).find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

}  // namespace

std::string as_word(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  // Quotes around a word are porf's own.
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  if (quoted) {
    out = "%22";
    text.remove_prefix(1);
  }
  for (const char c : text) {
    if (!separates(c) && c != '%' && c != ',' && c != '>') {
      out += c;
      continue;
    }
    out += '%';
    out += kHex[static_cast<unsigned char>(c) >> 4];
    out += kHex[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

std::string Spellings::key_of(std::string_view text) {
  if (!is_hex(text)) return std::string(text);
  const std::size_t digit = std::min(text.find_first_not_of('0', 2), text.size() - 1);
  return "0x" + in_small_letters(text.substr(digit));
}

// The text, with _ for what no name can have; with one more where another name is the same then.
std::string Spellings::fresh_name(std::string_view text) {
  std::string name(text);
  std::replace_if(name.begin(), name.end(), separates, '_');
  if (name == "init" || name == formats::kRest) name += '_';
  for (;; name += '_') {
    const std::int32_t before = taken_.size();
    if (taken_.intern(name) == before) return name;
  }
}

const Word* Vocabulary::find(std::string_view text) {
  const std::int32_t seen = seen_.intern(text);
  if (seen == static_cast<std::int32_t>(known_.size())) {
    const std::string small = in_small_letters(text);
    const auto found =
        std::find_if(words_.begin(), words_.end(), [&small](const Word& word) { return word.word == small; });
    known_.push_back(found == words_.end() ? -1 : static_cast<std::int32_t>(found - words_.begin()));
  }
  return known_[seen] < 0 ? nullptr : &words_[known_[seen]];
}

const Word* Vocabulary::add(std::string_view text, Word word) {
  words_.push_back(std::move(word));
  known_[seen_.intern(text)] = static_cast<std::int32_t>(words_.size()) - 1;
  return &words_.back();
}

}  // namespace porf::logs
