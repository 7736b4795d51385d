#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "cli/html.hpp"
#include "cli/page.hpp"
#include "core/error.hpp"

namespace Tessera::cli {
namespace {

using core::formatted;

constexpr double side = 440, margin = 12, legend = 30;

/// The positions of nodes in the picture.
class Frame {
 public:
  explicit Frame(DrawnNodes const& nodes) : nodes_(nodes) {
    auto const [x_low, x_high] = std::minmax_element(nodes.x.begin(), nodes.x.end());
    auto const [y_low, y_high] = std::minmax_element(nodes.y.begin(), nodes.y.end());
    left_ = *x_low;
    top_ = *y_high;
    double const wide = *x_high - *x_low, high = *y_high - *y_low, most = std::max(wide, high);
    scale_ = most > 0 ? (side - 2 * margin) / most : 1;
    indent_ = (side - 2 * margin - wide * scale_) / 2;
    height_ = high * scale_ + 2 * margin;
    double const area = (wide * scale_ + margin) * (high * scale_ + margin);
    spacing_ = std::min(40.0, std::sqrt(area / static_cast<double>(nodes.node.size())));
  }
  double height() const { return height_; }
  /// The approximate distance of nodes.
  double spacing() const { return spacing_; }
  std::string at(std::size_t place) const {
    return formatted("%.1f %.1f", margin + indent_ + (nodes_.x[place] - left_) * scale_,
                     margin + (top_ - nodes_.y[place]) * scale_);
  }
  std::string dot(std::size_t place) const { return "M" + at(place) + "h0"; }

 private:
  DrawnNodes const& nodes_;
  double left_ = 0, top_ = 0, scale_ = 1, indent_ = 0, height_ = 0, spacing_ = 0;
};

/// kind: its class in the page's style. d: the stroked path.
std::string path(char const* kind, std::string const& stroke, double width, std::string const& d) {
  if (d.empty()) return {};
  return formatted("<path class=\"%s\" stroke=\"%s\" stroke-width=\"%.1f\" d=\"", kind, stroke.c_str(),
                   width) +
         d + "\"/>\n";
}

using Numbers = std::map<GlobalIndex, std::size_t>;

/// A number for each aggregate, different from its neighbours'. Greedy: aggregates with most neighbours
/// first.
Numbers numbers_of_aggregates(WinnerAtNodes const& winner) {
  std::map<GlobalIndex, std::set<GlobalIndex>> neighbours;
  for (auto const a : winner.aggregate)
    if (a >= 0) neighbours[a];
  for (auto const& [p, q] : winner.couplings) {
    auto const a = winner.aggregate[p], b = winner.aggregate[q];
    if (a < 0 || b < 0 || a == b) continue;
    neighbours[a].insert(b);
    neighbours[b].insert(a);
  }
  std::vector<GlobalIndex> order;
  for (auto const& one : neighbours) order.push_back(one.first);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return neighbours.at(a).size() > neighbours.at(b).size(); });
  Numbers number;
  for (auto const a : order) {
    std::set<std::size_t> taken;
    for (auto const b : neighbours.at(a))
      if (auto const found = number.find(b); found != number.end()) taken.insert(found->second);
    std::size_t free = 0;
    while (taken.count(free) > 0) ++free;
    number[a] = free;
  }
  return number;
}

/// Seven distinguishable colours, and further ones as needed.
std::string fill(std::size_t number) {
  std::size_t constexpr good = 7;
  return number < good ? colour(number) : formatted("hsl(%d 60%% 70%%)", static_cast<int>(47 * number % 360));
}

std::string aggregates_chart(WinnerAtNodes const& winner, Frame const& frame) {
  auto const number = numbers_of_aggregates(winner);
  std::map<std::size_t, std::string> dots, links;
  std::string lonely;
  for (std::size_t p = 0; p < winner.aggregate.size(); ++p) {
    auto const a = winner.aggregate[p];
    (a < 0 ? lonely : dots[number.at(a)]) += frame.dot(p);
  }
  for (auto const& [p, q] : winner.couplings)
    if (auto const a = winner.aggregate[p]; a >= 0 && a == winner.aggregate[q])
      links[number.at(a)] += "M" + frame.at(p) + "L" + frame.at(q);
  auto svg = begin_chart(side, frame.height(), "Nodes in the colours of their aggregates");
  for (auto const& [k, d] : links) svg += path("links", fill(k), 0.35 * frame.spacing(), d);
  for (auto const& [k, d] : dots) svg += path("dots", fill(k), 0.6 * frame.spacing(), d);
  return svg + path("dots", "#bbb", 0.3 * frame.spacing(), lonely) + "</svg>\n";
}

using Rgb = std::array<double, 3>;
constexpr Rgb negative{0, 114, 178}, none{240, 240, 240}, positive{213, 94, 0};
constexpr int steps = 8;  ///< of colour on either side of zero

/// step: from -steps to steps.
std::string shade(int step) {
  auto const& end = step < 0 ? negative : positive;
  double const share = std::abs(step) / static_cast<double>(steps);
  std::array<int, 3> mixed{};
  for (int k = 0; k < 3; ++k) mixed[k] = static_cast<int>(std::lround(none[k] + share * (end[k] - none[k])));
  return formatted("#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
}

/// The scale of colours with the values at its ends.
std::string error_legend(double top, bool has_sign) {
  int const first = has_sign ? -steps : 0, count = steps - first + 1;
  double constexpr wide = 12, high = 10;
  double const left = (side - count * wide) / 2;
  std::string svg;
  for (int k = 0; k < count; ++k)
    svg += formatted("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                     left + k * wide, top, wide, high, shade(first + k).c_str());
  return svg + svg_text(left - 5, top + high, "end", has_sign ? "-1" : "0") +
         svg_text(left + count * wide + 5, top + high, "start", "1");
}

std::string error_chart(WinnerAtNodes const& winner, Frame const& frame) {
  double largest = 0;
  for (double const e : winner.error) largest = std::max(largest, std::abs(e));
  std::map<int, std::string> tiles;
  for (std::size_t p = 0; p < winner.error.size(); ++p) {
    double const share = largest > 0 ? winner.error[p] / largest : 0;
    tiles[static_cast<int>(std::lround(share * steps))] += frame.dot(p);
  }
  auto svg = begin_chart(side, frame.height() + legend, "The error that cycles leave, node by node");
  for (auto const& [step, d] : tiles) svg += path("tiles", shade(step), frame.spacing(), d);
  return svg + error_legend(frame.height() + 8, winner.has_sign) + "</svg>\n";
}

std::string figure(std::string const& chart, std::string const& caption) {
  return "<figure>\n" + chart + "<figcaption class=\"quiet\">" + caption + "</figcaption>\n</figure>\n";
}

std::string aggregates_caption(WinnerAtNodes const& winner) {
  return core::message(
      "The nodes of the finest level in the ", winner.aggregates, " aggregates of ", escaped(winner.list),
      ". Lines join neighbours in an aggregate; adjacent aggregates have different colours. Grey: in no "
      "aggregate.");
}

std::string error_caption(WinnerAtNodes const& winner) {
  return core::message(
      "The error of A x = 0 after ", WinnerAtNodes::cycles, " cycles of ", escaped(winner.list),
      " alone, from a random start", winner.has_sign ? "" : " (the length of each node's unknowns)",
      ", relative to the largest value drawn. A cycle leaves ", formatted("%.2g", winner.rate),
      " of the error", winner.rate > 1 ? ": without a Krylov method it grows" : "",
      ". The list is slow where the error is large.");
}

/// The subjects of the pictures.
std::string title(WinnerAtNodes const& winner) {
  if (winner.aggregate.empty()) return "The slowest error";
  return winner.error.empty() ? "Aggregates" : "Aggregates and the slowest error";
}

}  // namespace

std::string winner_charts(WinnerAtNodes const& winner) {
  if (winner.list.empty()) return {};
  auto const heading = "<h2>" + title(winner) + "</h2>\n<p class=\"quiet\">";
  if (!winner.missing.empty()) return heading + escaped(winner.missing) + "</p>\n";
  if (winner.aggregate.empty() && winner.error.empty())
    return heading +
           "There is nothing to draw: the list has no aggregates, and a cycle leaves next to nothing of "
           "an error.</p>\n";
  Frame const frame(winner.drawn);
  auto html = heading + winner.drawn.description + "." +
              (winner.error.empty() ? " A cycle leaves next to nothing of an error." : "") +
              "</p>\n<div class=\"charts\">\n";
  if (!winner.aggregate.empty()) html += figure(aggregates_chart(winner, frame), aggregates_caption(winner));
  if (!winner.error.empty()) html += figure(error_chart(winner, frame), error_caption(winner));
  return html + "</div>\n";
}

}  // namespace Tessera::cli
