#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "cli/page.hpp"
#include "core/error.hpp"

namespace Tessera::cli {
namespace {

constexpr std::array axis_names = {"x", "y", "z"};

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  double extent() const { return high - low; }
  double middle() const { return low + (high - low) / 2; }
};

Range range(Points const& points, std::vector<int> const& nodes, int axis) {
  Range all;
  for (int const v : nodes) {
    all.low = std::min(all.low, points.at(v, axis));
    all.high = std::max(all.high, points.at(v, axis));
  }
  return all;
}

/// The nodes in a slice across an axis. thickness: the distance of nodes.
std::vector<int> slice(Points const& points, std::vector<int> const& nodes, int axis, double thickness,
                       std::string& description) {
  double const middle = range(points, nodes, axis).middle();
  double at = -HUGE_VAL;  // next to the middle; of two at equal distance the lower
  for (int const v : nodes) {
    double const z = points.at(v, axis), nearer = std::abs(z - middle) - std::abs(at - middle);
    if (nearer < 0 || (nearer == 0 && z < at)) at = z;
  }
  std::vector<int> inside;
  for (int const v : nodes)
    if (std::abs(points.at(v, axis) - at) <= thickness / 2) inside.push_back(v);
  description = core::formatted("a slice at %s = %.3g, %.2g thick", axis_names[axis], at, thickness);
  return inside;
}

/// The `most` nodes next to the middle, without those as far away as the first excluded one.
std::vector<int> window(Points const& points, std::vector<int> const& nodes, std::array<int, 2> axes,
                        std::size_t most) {
  std::array<double, 2> centre{};
  for (int k = 0; k < 2; ++k) centre[k] = range(points, nodes, axes[k]).middle();
  auto const distance = [&](int v) {
    return std::max(std::abs(points.at(v, axes[0]) - centre[0]), std::abs(points.at(v, axes[1]) - centre[1]));
  };
  std::vector<double> distances;
  for (int const v : nodes) distances.push_back(distance(v));
  std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(most), distances.end());
  double const limit = distances[most] * (1 - 1e-9);  // rounding must not separate equal distances
  std::vector<int> inside;
  for (int const v : nodes)
    if (distance(v) < limit) inside.push_back(v);
  if (inside.empty())  // all are equally far
    inside.assign(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(most));
  return inside;
}

}  // namespace

DrawnNodes drawn_nodes(Points const& points, std::size_t most) {
  DrawnNodes drawn;
  auto nodes = std::vector<int>(points.count());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::vector<int> axes;
  double volume = 1;
  for (int axis = 0; axis < points.dimension; ++axis) {
    auto const extent = range(points, nodes, axis).extent();
    if (!(extent > 0)) continue;
    axes.push_back(axis);
    volume *= extent;
  }
  std::string where;
  if (axes.size() == 3) {
    auto const across = *std::min_element(axes.rbegin(), axes.rend(), [&](int a, int b) {
      return range(points, nodes, a).extent() < range(points, nodes, b).extent();
    });
    axes.erase(axes.begin() + across);
    double const apart = std::cbrt(volume / static_cast<double>(nodes.size()));
    nodes = slice(points, nodes, across, apart, where);
  }
  while (axes.size() < 2) axes.push_back(axes.empty() ? 0 : axes.front());  // on a line, or in a point
  if (nodes.size() > most) {
    nodes = window(points, nodes, {axes[0], axes[1]}, most);
    where += where.empty() ? "a window around the middle" : ", and of that a window around its middle";
  }
  drawn.description = where.empty() ? core::message("All ", nodes.size(), " nodes")
                                    : core::message(nodes.size(), " of ", points.count(), " nodes: ", where);
  bool const on_a_line = axes[0] == axes[1];
  for (int const v : nodes) {
    drawn.x.push_back(points.at(v, axes[0]));
    drawn.y.push_back(on_a_line ? 0.0 : points.at(v, axes[1]));
  }
  drawn.node = std::move(nodes);
  return drawn;
}

}  // namespace Tessera::cli
