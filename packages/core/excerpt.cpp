#include "core/excerpt.hpp"

#include <cstdio>
#include <string_view>

namespace Tessera::core {

namespace {

/// Characters of UTF-8 that look like a blank or like nothing: no-break, narrow and zero-width ones.
constexpr std::string_view invisible[] = {"\xC2\xA0",     "\xE2\x80\x87", "\xE2\x80\xAF", "\xE2\x80\x8B",
                                          "\xE2\x80\x8C", "\xE2\x80\x8D", "\xE2\x81\xA0", "\xEF\xBB\xBF"};

/// How many bytes from here are to be shown by their codes.
std::size_t hidden_bytes(std::string_view text) {
  auto const byte = static_cast<unsigned char>(text.front());
  if (byte < 0x20 || byte == 0x7F) return 1;
  for (auto const one : invisible)
    if (text.substr(0, one.size()) == one) return one.size();
  return 0;
}

}  // namespace

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

}  // namespace Tessera::core
