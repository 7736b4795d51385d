#include "core/excerpt.hpp"

#include <cstdio>

namespace Tessera::core {

std::string excerpt(std::string const& text, std::size_t most) {
  if (text.size() > most)  // no character is cut in two
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  std::string result;
  for (char const c : text.substr(0, most)) {
    auto const byte = static_cast<unsigned char>(c);
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02X", byte);
    result += byte < 0x20 || byte == 0x7F ? code : std::string(1, c);
  }
  return text.size() <= most ? result : result + "... (" + std::to_string(text.size()) + " bytes)";
}

}  // namespace Tessera::core
