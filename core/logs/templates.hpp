// Lines of free form by templates: `core {thread}: {*} mem {location} {value}` says what stands where.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "logs/cells.hpp"

namespace porf::logs {

// Pieces in their order. A text stands for itself, and blanks in it for any number of blanks; a hole is a word without
// blanks, a gap is any text.
struct Piece {
  enum Kind : std::uint8_t { kText, kHole, kGap };
  Kind kind = kText;
  std::string text;
  std::int32_t cell = -1;  // of a hole
};

struct Template {
  std::vector<Piece> pieces;
  std::vector<std::pair<std::int32_t, std::string>> said;  // cells that the template itself fills
};

class TemplateReader : public LineReader {
 public:
  // `others`: lines that no template fits are left out, unless they have this text in them.
  TemplateReader(std::vector<Template> templates, bool others, std::string unless)
      : templates_(std::move(templates)), others_(others), unless_(std::move(unless)) {}

  Line read(std::string_view text, bool last, Cells& cells) override;

 private:
  bool fits(const Template& one, std::string_view line, Cells& cells);

  std::vector<Template> templates_;
  bool others_;
  std::string unless_;
  const char* furthest_ = nullptr;  // how far the templates fit a line
};

}  // namespace porf::logs
