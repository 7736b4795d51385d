#pragma once
/// \file
/// Text as HTML that is well-formed XML too.
#include <string>
#include <vector>

namespace Tessera::cli {

/// Any bytes as text of an element or a quoted attribute: markup and quotes by their entities; what is no
/// UTF-8 and no character of XML by U+FFFD.
std::string escaped(std::string const& text);

/// What an argument of a command line must look like for a shell to take it as it is.
std::string shell_quoted(std::string const& argument);

/// A table in a frame of its own that scrolls. Cells are HTML; the first of a row is its heading.
std::string table(std::vector<std::string> const& headings,
                  std::vector<std::vector<std::string>> const& rows);

/// A square of the colour of list `i`: for legends.
std::string swatch(std::size_t i);

/// The colour of list `i`, and the dashes of its lines: more lists than colours have other dashes.
std::string colour(std::size_t i);
std::string dashes(std::size_t i);

}  // namespace Tessera::cli
