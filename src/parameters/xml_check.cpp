#include "parameters/xml.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include "core/error.hpp"
#include "parameters/messages.hpp"

namespace Tessera::parameters {
namespace {

// The text, before the parser reads it.

/// Bytes of the UTF-8 sequence at text[i]; 0 if there is none (Unicode 15, table 3-7).
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
        stray_is_bracket_ = false;
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
  bool stray_is_bracket() const { return stray_is_bracket_; }

 private:
  bool begins(char const* what) const { return text_.compare(i_, std::string(what).size(), what) == 0; }

  void step() { next_line_ += text_[i_++] == '\n'; }

  void pass(char const* end) {
    std::size_t const found = text_.find(end, i_);
    std::size_t const stop = found == std::string::npos ? text_.size() : found + std::string(end).size();
    while (i_ < stop) step();
  }

  /// Whether text other than blanks precedes the next <.
  bool between_tags() {
    char const* const blanks = " \t\r\n";
    std::size_t const stop = std::min(text_.find('<', i_), text_.size());
    std::size_t const from = std::min(text_.find_first_not_of(blanks, i_), stop);
    while (i_ < from) step();
    line_ = next_line_;
    stray_ = text_.substr(from, std::min(stop, text_.find('\n', from)) - from);
    stray_is_bracket_ = text_.find_first_not_of(" \t\r\n>", from) >= stop;
    while (i_ < stop) step();
    stray_.erase(stray_.find_last_not_of(blanks) + 1);
    return !stray_.empty();
  }

  /// Moves past the next > outside quotes.
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
  bool stray_is_bracket_ = false;
};

// What the parser has read.

bool whole(std::string const& text, long long lowest, long long highest, std::string& problem) {
  char* end = nullptr;
  errno = 0;
  long long const value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') {
    problem = "is no whole number";
    return false;
  }
  if (errno == ERANGE || value < lowest || value > highest) {
    problem = "does not fit into the type";
    return false;
  }
  return true;
}

bool real(std::string const& text, std::string& problem) {
  char* end = nullptr;
  double const value = std::strtod(text.c_str(), &end);
  bool const decimal = text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  if (text.empty() || *end != '\0' || !decimal) {
    problem = "is no number";
    return false;
  }
  if (!std::isfinite(value)) {
    problem = "does not fit into the type";
    return false;
  }
  return true;
}

/// Whether the value fits its type. Teuchos checks the types that only programs write.
bool is_valid_value(std::string const& type, std::string const& value, std::string& problem) {
  std::string const text = trimmed(value);
  if (type == "int" || type == "short") {
    return whole(text, std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), problem);
  }
  if (type == "long" || type == "long long") {
    return whole(text, std::numeric_limits<long long>::min(), std::numeric_limits<long long>::max(), problem);
  }
  if (type == "double" || type == "float") return real(text, problem);
  if (type == "bool" && text != "true" && text != "false") {
    problem = "is no bool; write true or false";
    return false;
  }
  return true;
}

class Checker {
 public:
  Checker(std::string const& name, XmlLines lines) : name_(name), lines_(std::move(lines)) {}

  void list(Teuchos::XMLObject const& element, bool root) {
    std::string const here = next();
    attributes(element, here, {"name", "docString", "id"});
    if (!root && (!element.hasAttribute("name") || element.getAttribute("name").empty())) {
      report(here, "a <ParameterList> without a name; add name=\"...\"");
    }
    std::map<std::string, std::string> seen;
    for (int i = 0; i < element.numChildren(); ++i) {
      Teuchos::XMLObject const& child = element.getChild(i);
      std::string const position = peek();
      if (child.getTag() == "ParameterList") {
        list(child, false);
      } else if (child.getTag() == "Parameter") {
        parameter(child);
      } else if (root && (child.getTag() == "Validators" || child.getTag() == "Dependencies")) {
        skip(child);
        continue;
      } else {
        report(position, "<" + core::excerpt(child.getTag()) +
                             "> is not known; a list holds <Parameter> and <ParameterList>");
        skip(child);
        continue;
      }
      std::string const name = child.hasAttribute("name") ? child.getAttribute("name") : "";
      auto const first = seen.emplace(name, position);
      if (!name.empty() && !first.second) {
        report(position, "\"" + core::excerpt(name) + "\" was already given at " + first.first->second +
                             "; leave one out");
      }
    }
  }

  /// \returns the warnings
  std::vector<std::string> strays() {
    std::vector<std::string> warnings;
    for (auto const& stray : lines_.strays) {
      if (stray.bracket) {
        warnings.push_back(line(stray.line) + ": a stray > after an element is ignored; remove it");
        continue;
      }
      report(line(stray.line), "\"" + stray.text +
                                   "\" is between tags, where nothing is read; remove it, or make it a "
                                   "comment: <!-- ... -->");
    }
    return warnings;
  }

  void finish() const {
    if (problems_.empty()) return;
    std::size_t const most = 50;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, problems_.size()); ++i)
      text += (text.empty() ? "" : "\n") + problems_[i];
    if (problems_.size() > most) text += "\n" + std::to_string(problems_.size() - most) + " more mistakes";
    throw core::InvalidInput(text);
  }

 private:
  void parameter(Teuchos::XMLObject const& element) {
    std::string const here = next();
    attributes(element, here,
               {"name", "type", "value", "docString", "id", "isDefault", "isUsed", "validatorId"});
    for (auto const* needed : {"name", "type", "value"}) {
      if (!element.hasAttribute(needed)) {
        report(here, std::string("a <Parameter> without ") + needed + "; add " + needed + "=\"...\"");
        skip_children(element);
        return;
      }
    }
    static std::vector<std::string> const types{
        "int",   "double",     "bool",          "string",        "long long",    "long", "float",
        "short", "Array(int)", "Array(double)", "Array(string)", "Array(float)", "char", "Array(long long)"};
    std::string const& name = element.getAttribute("name");
    std::string const& type = element.getAttribute("type");
    std::string const& value = element.getAttribute("value");
    std::string const quoted = "\"" + core::excerpt(name) + "\"";
    std::string problem;
    if (name.empty()) report(here, "a <Parameter> with an empty name");
    if (std::find(types.begin(), types.end(), type) == types.end()) {
      std::string const hint = did_you_mean(type, types);
      report(here, quoted + " has the unknown type \"" + core::excerpt(type) + "\"; " +
                       (hint.empty() ? "types are int, double, bool and string" : hint));
    } else if (type == "string" && value.size() > longest_string) {
      report(here, quoted + " is \"" + core::excerpt(value) + "\", too long; at most " +
                       std::to_string(longest_string) + " are read");
    } else if (!is_valid_value(type, value, problem)) {
      report(here, quoted + " of type " + type + ": \"" + core::excerpt(value) + "\" " + problem);
    }
    if (element.numChildren() > 0) report(here, quoted + " holds other elements; a <Parameter> holds none");
    skip_children(element);
  }

  void attributes(Teuchos::XMLObject const& element, std::string const& here,
                  std::vector<std::string> const& known) {
    if (element.hasAttribute("name") && element.getAttribute("name").size() > longest_name) {
      report(here, "the name \"" + core::excerpt(element.getAttribute("name")) + "\" is too long; at most " +
                       std::to_string(longest_name) + " are read");
    }
    // XMLObject does not list attributes, so this asks for the common mistakes by name.
    for (auto const* misspelt : {"Name", "Type", "Value", "val", "values", "NAME", "TYPE", "VALUE"}) {
      if (element.hasAttribute(misspelt)) {
        report(here, std::string("unknown attribute \"") + misspelt + "\"" + hint(misspelt, known));
      }
    }
  }

  void skip(Teuchos::XMLObject const& element) {
    next();
    skip_children(element);
  }
  void skip_children(Teuchos::XMLObject const& element) {
    for (int i = 0; i < element.numChildren(); ++i) skip(element.getChild(i));
  }
  std::string line(int number) const { return name_ + ":" + std::to_string(number); }
  std::string peek() const { return at_ < lines_.tags.size() ? line(lines_.tags[at_]) : name_; }
  std::string next() {
    std::string const here = peek();
    ++at_;
    return here;
  }
  void report(std::string const& here, std::string const& problem) {
    problems_.push_back(here + ": " + problem);
  }

  std::string name_;
  XmlLines lines_;
  std::size_t at_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace

void check_characters(std::string const& text, std::string const& name, char const* format) {
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    auto const c = static_cast<unsigned char>(text[i]);
    auto const bytes = sequence(text, i);
    TESSERA_VALIDATE(bytes > 0, name, ":", line, ": the byte ", int{c},
                     " begins no character of UTF-8; save the list in UTF-8");
    TESSERA_VALIDATE(c >= 0x20 || c == '\t' || c == '\r' || c == '\n', name, ":", line, ": the byte ", int{c},
                     " is no character of ", format,
                     c == 0 ? " (a list in UTF-16?); save the list in UTF-8" : "; remove it");
    line += c == '\n';
    i += bytes;
  }
}

void check_text(std::string const& text, std::string const& name) {
  check_characters(text, name, "XML");
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
    if (part == Scan::Part::stray)
      lines.strays.push_back({scan.line(), core::excerpt(scan.stray()), scan.stray_is_bracket()});
    if (part == Scan::Part::opening || part == Scan::Part::empty) lines.tags.push_back(scan.line());
  }
  return lines;
}

std::vector<std::string> check_xml(Teuchos::XMLObject const& root, std::string const& text,
                                   std::string const& name) {
  auto lines = xml_lines(text);
  TESSERA_VALIDATE(root.getTag() == "ParameterList", name, ":", lines.tags.empty() ? 1 : lines.tags.front(),
                   ": the outermost element is <", core::excerpt(root.getTag()),
                   ">; it should be <ParameterList>");
  Checker checker(name, std::move(lines));
  checker.list(root, true);
  auto warnings = checker.strays();
  checker.finish();
  return warnings;
}

}  // namespace Tessera::parameters
