#include "cli/svg.hpp"

#include "cli/html.hpp"
#include "ifpack2/report.hpp"

namespace Tessera::cli {

using ifpack2::formatted;

std::string begin_chart(double width, double height, std::string const& label) {
  return formatted("<svg class=\"chart\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", width,
                   height) +
         escaped(label) + "\">\n";
}

std::string line(char const* kind, double x1, double y1, double x2, double y2) {
  return formatted("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind, x1, y1, x2,
                   y2);
}

std::string words(double x, double y, char const* anchor, std::string const& text) {
  return formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor) + text + "</text>\n";
}

}  // namespace Tessera::cli
