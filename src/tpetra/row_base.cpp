#include "tpetra/row_base.hpp"

#include <cctype>

#include "core/error.hpp"

namespace Tessera::tpetra {
namespace {

/// Whether a number stands behind one of these words.
bool names_row(std::string const& text) {
  for (std::string const word : {"row ", "a("}) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      auto const first = at + word.size();
      bool const begins = at == 0 || std::isalpha(static_cast<unsigned char>(text[at - 1])) == 0;
      auto const digit = first < text.size() && text[first] == '-' ? first + 1 : first;
      if (begins && digit < text.size() && std::isdigit(static_cast<unsigned char>(text[digit])) != 0)
        return true;
    }
  }
  return false;
}

}  // namespace

std::string with_row_base(std::string text, Map const& rows) {
  if (!names_row(text) || text.find("rows count from ") != std::string::npos) return text;
  return text + core::message("; rows count from ", rows.getIndexBase());
}

}  // namespace Tessera::tpetra
