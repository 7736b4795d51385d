#pragma once
/// \file
/// Pieces of the page: HTML that is also well-formed XML, and pictures in SVG.
#include <string>
#include <vector>

namespace Tessera::cli {

/// Any bytes as the text of an element or a quoted attribute. Markup and quotes become entities; bytes that
/// are not UTF-8 or not characters of XML become U+FFFD.
std::string escaped(std::string const& text);

/// The argument of a command line, quoted if a shell would change it.
std::string shell_quoted(std::string const& argument);

/// A table in a frame of its own that scrolls. Cells are HTML; the first of a row is its heading.
std::string table(std::vector<std::string> const& headings,
                  std::vector<std::vector<std::string>> const& rows);

/// A square of the colour of list `i`: for legends.
std::string swatch(std::size_t i);

/// The colour of list `i`, and the dashes of its lines. Lists beyond the number of colours have other dashes.
std::string colour(std::size_t i);
std::string dashes(std::size_t i);

/// Begins a picture of this size in units of its own. label: a description, as text.
std::string begin_chart(double width, double height, std::string const& label);

/// kind: its class in the page's style.
std::string svg_line(char const* kind, double x1, double y1, double x2, double y2);

/// anchor: start, middle or end. text: HTML.
std::string svg_text(double x, double y, char const* anchor, std::string const& text);

}  // namespace Tessera::cli
