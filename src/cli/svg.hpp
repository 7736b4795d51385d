#pragma once
/// \file
/// Pieces of pictures.
#include <string>

namespace Tessera::cli {

/// Begins a picture, in units of its own. label: what it shows, as text.
std::string begin_chart(double width, double height, std::string const& label);

/// kind: its class in the page's style.
std::string line(char const* kind, double x1, double y1, double x2, double y2);

/// anchor: start, middle or end. text: HTML.
std::string words(double x, double y, char const* anchor, std::string const& text);

}  // namespace Tessera::cli
