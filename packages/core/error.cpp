#include "core/error.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace Tessera::core {
namespace {

template <class Number>
std::string shortest(Number value) {
  if (std::isnan(value)) return "not a number";
  char digits[64];
  bool const whole = std::trunc(value) == value && std::abs(value) < Number(1e16);
  auto const end = whole ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr
                         : std::to_chars(digits, digits + sizeof digits, value).ptr;
  return {digits, end};
}

std::string out_of_memory_text(char const* space, std::size_t bytes, std::size_t in_use, std::size_t peak) {
  return message("out of ", space, " memory: ", bytes, " bytes were asked for (", in_use,
                 " bytes were in use by Tessera, ", peak,
                 " at the peak); use a smaller problem, more ranks or a leaner hierarchy",
                 std::string(space) == "host" ? "" : ", or run on the host");
}

/// Characters of UTF-8 that look like a blank or are invisible: no-break, narrow and zero-width spaces.
constexpr std::string_view invisible[] = {"\xC2\xA0",     "\xE2\x80\x87", "\xE2\x80\xAF", "\xE2\x80\x8B",
                                          "\xE2\x80\x8C", "\xE2\x80\x8D", "\xE2\x81\xA0", "\xEF\xBB\xBF"};

/// Number of bytes at the front of the text that are shown by their codes.
std::size_t hidden_bytes(std::string_view text) {
  auto const byte = static_cast<unsigned char>(text.front());
  if (byte < 0x20 || byte == 0x7F) return 1;
  for (auto const one : invisible)
    if (text.substr(0, one.size()) == one) return one.size();
  return 0;
}

}  // namespace

std::string text(double value) {
  return shortest(value);
}
std::string text(float value) {
  return shortest(value);
}

std::string excerpt(std::string const& text, std::size_t most) {
  if (text.size() > most)  // no character is cut in two
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  std::string result;
  std::size_t hidden = 0;
  std::string_view const shown = std::string_view(text).substr(0, most);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (hidden == 0) hidden = hidden_bytes(shown.substr(i));
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned char>(shown[i]));
    result += hidden > 0 ? code : std::string(1, shown[i]);
    if (hidden > 0) --hidden;
  }
  return text.size() <= most ? result : result + "... (" + std::to_string(text.size()) + " bytes)";
}

OutOfMemory::OutOfMemory(char const* space, std::size_t bytes, std::size_t in_use, std::size_t peak)
    : std::runtime_error(out_of_memory_text(space, bytes, in_use, peak)),
      bytes_(bytes),
      in_use_(in_use),
      peak_(peak) {}

OutOfMemory::OutOfMemory(std::string const& where, OutOfMemory const& cause)
    : std::runtime_error(where + ": " + cause.what()),
      bytes_(cause.bytes_),
      in_use_(cause.in_use_),
      peak_(cause.peak_) {}

OutOfMemory::OutOfMemory(std::string const& text, std::size_t bytes, std::size_t in_use, std::size_t peak)
    : std::runtime_error(text), bytes_(bytes), in_use_(in_use), peak_(peak) {}

void contract_violated(char const* kind, char const* condition, char const* file, int line) {
  throw std::logic_error(message(file, ":", line, ": ", kind, " violated: ", condition,
                                 " (a defect of Tessera; please report it)"));
}

}  // namespace Tessera::core
