#include <algorithm>
#include <cmath>

#include "cli/html.hpp"
#include "cli/page.hpp"
#include "core/error.hpp"

namespace Tessera::cli {
namespace {

using core::formatted;
using Strengths = CouplingStrengths;

constexpr int all_bins = (Strengths::highest_decade - Strengths::lowest_decade) * Strengths::bins_of_decade;

constexpr double width = 680, height = 230, left = 46, right = 660, top = 24, bottom = 188;

/// The drawn decades: those of couplings and tolerances.
struct Frame {
  int lowest = 0, highest = 0;
  long long most = 1;

  explicit Frame(Strengths const& strengths) : lowest(-1) {
    for (int bin = 0; bin < all_bins; ++bin) {
      most = std::max(most, strengths.bins[bin]);
      if (strengths.bins[bin] > 0) include(exponent(bin), exponent(bin + 1));
    }
    for (auto const& list : strengths.lists)
      if (list.first > 0) include(std::log10(list.first), std::log10(list.first));
  }
  static double exponent(int bin) {
    return Strengths::lowest_decade + static_cast<double>(bin) / Strengths::bins_of_decade;
  }
  double x(double exponent) const { return left + (right - left) * (exponent - lowest) / (highest - lowest); }
  double y(long long count) const {
    return bottom - (bottom - top) * static_cast<double>(count) / static_cast<double>(most);
  }

 private:
  void include(double from, double to) {
    lowest = std::min(lowest, static_cast<int>(std::floor(from)));
    highest = std::max(highest, static_cast<int>(std::ceil(to)));
  }
};

std::string axes(Frame const& frame, Strengths const& strengths) {
  std::string svg;
  for (int decade = frame.lowest; decade <= frame.highest; ++decade)
    svg += svg_line("grid", frame.x(decade), top, frame.x(decade), bottom + 4) +
           svg_text(frame.x(decade), bottom + 17, "middle", formatted("1e%d", decade));
  double const share = 100 * static_cast<double>(frame.most) / static_cast<double>(strengths.couplings);
  svg += svg_line("grid", left, bottom, right, bottom) + svg_line("grid", left, top, right, top) +
         svg_text(left - 5, bottom + 4, "end", "0") +
         svg_text(left - 5, top + 4, "end", formatted("%.3g %%", share));
  return svg + svg_text((left + right) / 2, height - 6, "middle", "|a_ij| / sqrt(a_ii a_jj)");
}

std::string bars(Frame const& frame, Strengths const& strengths) {
  std::string svg;
  for (int bin = 0; bin < all_bins; ++bin) {
    auto const count = strengths.bins[bin];
    if (count == 0) continue;
    double const from = frame.x(Frame::exponent(bin)), to = frame.x(Frame::exponent(bin + 1));
    double const high = std::max(1.0, bottom - frame.y(count));  // even one can be seen
    svg += formatted("<rect class=\"couplings\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
                     from, bottom - high, to - from, high) +
           formatted("%.1e to %.1e: %lld", std::pow(10.0, Frame::exponent(bin)),
                     std::pow(10.0, Frame::exponent(bin + 1)), count) +
           "</title></rect>\n";
  }
  return svg;
}

/// Labels alternate between two rows, because tolerances may be close to each other.
std::string tolerances(Frame const& frame, Strengths const& strengths) {
  std::string svg;
  bool upper = false;
  for (auto const& list : strengths.lists) {
    if (list.first <= 0) continue;
    double const x = frame.x(std::log10(list.first));
    upper = !upper;
    bool const fits = x < (left + right) / 2;
    svg += svg_line("tolerance", x, top - (upper ? 14 : 4), x, bottom) +
           svg_text(fits ? x + 4 : x - 4, top - (upper ? 6 : -6), fits ? "start" : "end",
                    core::message("drop tolerance ", list.first));
  }
  return svg;
}

std::string joined(std::vector<std::string> const& names) {
  std::string all;
  for (auto const& name : names) all += (all.empty() ? "" : ", ") + name;
  return escaped(all);
}

/// The share of couplings that each tolerance drops.
std::string caption(Strengths const& strengths) {
  auto text = core::message("The matrix has ", strengths.couplings,
                            " couplings between its nodes, counted from both ends. Each bar has those of one "
                            "strength.");
  for (auto const& [tolerance, names] : strengths.lists) {
    double const share =
        static_cast<double>(strengths.below.at(tolerance)) / static_cast<double>(strengths.couplings);
    text += tolerance > 0 ? core::message(" The drop tolerance ", tolerance) +
                                formatted(" leaves %.3g %% of them out of the aggregates", 100 * share)
                          : std::string(" A drop tolerance of 0 leaves none of them out");
    text += " (" + joined(names) + ").";
  }
  return text;
}

}  // namespace

std::string coupling_chart(CouplingStrengths const& strengths) {
  std::string const heading = "<h2>Couplings</h2>\n<p class=\"quiet\">";
  if (!strengths.trouble.empty())
    return heading + "Their strengths are not known: " + escaped(strengths.trouble) + "</p>\n";
  if (strengths.couplings == 0) return heading + "No node is coupled with another.</p>\n";
  Frame const frame(strengths);
  return heading + caption(strengths) + "</p>\n" +
         begin_chart(width, height, "Couplings by their strength, and drop tolerances") +
         axes(frame, strengths) + bars(frame, strengths) + tolerances(frame, strengths) + "</svg>\n";
}

}  // namespace Tessera::cli
