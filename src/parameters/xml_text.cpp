#include "parameters/xml_text.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/quoting.hpp"

namespace Tessera::parameters {
namespace {

/// Bytes of the UTF-8 sequence at text[i]; 0 where there is none (Unicode 15, table 3-7).
std::size_t sequence(std::string const& text, std::size_t i) {
  auto const at = [&](std::size_t k) -> unsigned { return k < text.size() ? text[k] & 0xFFU : 0U; };
  auto const tail = [&](std::size_t k) { return (at(k) & 0xC0U) == 0x80U; };
  unsigned const first = at(i), second = at(i + 1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !tail(i + 1)) return 0;
  if (first < 0xE0) return 2;
  bool const overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  bool const surrogate = first == 0xED && second >= 0xA0, beyond = first == 0xF4 && second >= 0x90;
  if (overlong || surrogate || beyond || !tail(i + 2)) return 0;
  if (first < 0xF0) return 3;
  return tail(i + 3) ? 4 : 0;
}

void check_characters(std::string const& text, std::string const& name) {
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    auto const c = static_cast<unsigned char>(text[i]);
    auto const bytes = sequence(text, i);
    TESSERA_VALIDATE(bytes > 0, name, ":", line, ": the byte ", int{c},
                     " begins no character of UTF-8; save the list in UTF-8");
    TESSERA_VALIDATE(c >= 0x20 || c == '\t' || c == '\r' || c == '\n', name, ":", line, ": the byte ", int{c},
                     " is no character of XML",
                     c == 0 ? " (a list in UTF-16?); save the list in UTF-8" : "; remove it");
    line += c == '\n';
    i += bytes;
  }
}

/// Walks over a text, whether it is well-formed or not.
class Scan {
 public:
  explicit Scan(std::string const& text) : text_(text) {}

  enum class Part { opening, empty, closing, stray, end };

  /// Moves to the next part; `line` is where it begins.
  Part next() {
    while (i_ < text_.size()) {
      if (text_[i_] != '<') {
        if (between_tags()) return Part::stray;
      } else if (begins("<!--")) {
        pass("-->");
      } else if (begins("<![CDATA[")) {
        std::size_t const from = i_;
        line_ = next_line_;
        pass("]]>");
        stray_ = text_.substr(from, i_ - from);
        return Part::stray;
      } else if (begins("<?")) {
        pass("?>");
      } else if (begins("<!")) {
        pass(">");
      } else {
        line_ = next_line_;
        return tag();
      }
    }
    return Part::end;
  }
  int line() const { return line_; }
  std::string const& stray() const { return stray_; }

 private:
  bool begins(char const* what) const { return text_.compare(i_, std::string(what).size(), what) == 0; }

  void step() { next_line_ += text_[i_++] == '\n'; }

  void pass(char const* end) {
    std::size_t const found = text_.find(end, i_);
    std::size_t const stop = found == std::string::npos ? text_.size() : found + std::string(end).size();
    while (i_ < stop) step();
  }

  /// Whether there is more than blanks up to the next <.
  bool between_tags() {
    char const* const blanks = " \t\r\n";
    std::size_t const stop = std::min(text_.find('<', i_), text_.size());
    std::size_t const from = std::min(text_.find_first_not_of(blanks, i_), stop);
    while (i_ < from) step();
    line_ = next_line_;
    stray_ = text_.substr(from, std::min(stop, text_.find('\n', from)) - from);
    while (i_ < stop) step();
    stray_.erase(stray_.find_last_not_of(blanks) + 1);
    return !stray_.empty();
  }

  /// To behind the > that is in no quotes.
  Part tag() {
    bool const closing = begins("</");
    char last = '\0';
    for (char quote = '\0'; i_ < text_.size();) {
      char const c = text_[i_];
      step();
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        break;
      }
      last = c;
    }
    return closing ? Part::closing : last == '/' ? Part::empty : Part::opening;
  }

  std::string const& text_;
  std::size_t i_ = 0;
  int line_ = 1, next_line_ = 1;
  std::string stray_;
};

}  // namespace

void check_text(std::string const& text, std::string const& name) {
  check_characters(text, name);
  Scan scan(text);
  int depth = 0;
  for (auto part = scan.next(); part != Scan::Part::end; part = scan.next()) {
    depth += part == Scan::Part::opening ? 1 : part == Scan::Part::closing ? -1 : 0;
    TESSERA_VALIDATE(depth <= deepest, name, ":", scan.line(), ": elements are nested more than ", deepest,
                     " deep; lists of parameters are nested a handful deep");
  }
}

XmlLines xml_lines(std::string const& text) {
  XmlLines lines;
  Scan scan(text);
  for (auto part = scan.next(); part != Scan::Part::end; part = scan.next()) {
    if (part == Scan::Part::stray) lines.strays.push_back({scan.line(), core::excerpt(scan.stray())});
    if (part == Scan::Part::opening || part == Scan::Part::empty) lines.tags.push_back(scan.line());
  }
  return lines;
}

}  // namespace Tessera::parameters
