#include "cli/html.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace Tessera::cli {
namespace {

constexpr char const* replacement = "\xEF\xBF\xBD";

/// Replaces bytes that are not UTF-8, as in JSON.
std::string utf8(std::string const& text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

/// Colours of Okabe and Ito (2008), for colour-blind readers, without yellow, which is too pale on white.
constexpr std::array colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444"};
constexpr std::array line_dashes = {"none", "7 3", "2 2", "9 3 2 3"};

}  // namespace

std::string escaped(std::string const& text) {
  std::string result;
  for (char const c : utf8(text)) {
    auto const code = static_cast<unsigned char>(c);
    bool const control = (code < 0x20 && c != '\n' && c != '\t') || code == 0x7f;
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else if (c == '\r')
      result += "&#13;";
    else if (control)
      result += replacement;
    else
      result += c;
  }
  return result;
}

std::string shell_quoted(std::string const& argument) {
  constexpr char const* safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!argument.empty() && argument.find_first_not_of(safe) == std::string::npos) return argument;
  std::string quoted = "'";
  for (char const c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string table(std::vector<std::string> const& headings,
                  std::vector<std::vector<std::string>> const& rows) {
  std::string text = "<div class=\"wide\"><table>\n<thead><tr>";
  for (auto const& heading : headings) text += "<th scope=\"col\">" + heading + "</th>";
  text += "</tr></thead>\n<tbody>\n";
  for (auto const& row : rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i == 0 ? "<th scope=\"row\">" : "<td>") + row[i] + (i == 0 ? "</th>" : "</td>");
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string colour(std::size_t i) {
  return colours[i % colours.size()];
}

std::string dashes(std::size_t i) {
  return line_dashes[i / colours.size() % line_dashes.size()];
}

std::string swatch(std::size_t i) {
  return "<svg class=\"swatch\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><line x1=\"0\" y1=\"4\" x2=\"24\" "
         "y2=\"4\" stroke=\"" +
         colour(i) + "\" stroke-width=\"3\" stroke-dasharray=\"" + dashes(i) + "\"/></svg>";
}

std::string begin_chart(double width, double height, std::string const& label) {
  return core::formatted("<svg class=\"chart\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", width,
                         height) +
         escaped(label) + "\">\n";
}

std::string svg_line(char const* kind, double x1, double y1, double x2, double y2) {
  return core::formatted("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind, x1,
                         y1, x2, y2);
}

std::string svg_text(double x, double y, char const* anchor, std::string const& text) {
  return core::formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor) + text +
         "</text>\n";
}

}  // namespace Tessera::cli
