#include <algorithm>
#include <cmath>

#include "cli/html.hpp"
#include "cli/page.hpp"
#include "core/error.hpp"

namespace Tessera::cli {
namespace {

using core::formatted;
using Ranking = std::vector<Measurement const*>;

constexpr double width = 440, height = 300, left = 46, right = 420, top = 10, bottom = 258;
constexpr std::size_t most_points = 400;  // of a line: more than can be seen
constexpr int most_ticks = 8;

struct Point {
  double x, residual;
};

bool can_be_drawn(double residual) {
  return std::isfinite(residual) && residual > 0;
}

double end_of(Measurement const& m, Abscissa abscissa) {
  return abscissa == Abscissa::iterations ? m.solved.iterations : minimum(m.setup) + minimum(m.solve);
}

std::vector<Point> points(Measurement const& m, Abscissa abscissa) {
  std::vector<Point> all;
  double const last = m.history.empty() ? 0 : std::max(1, m.history.back().first);
  bool const by_time = abscissa == Abscissa::seconds;
  if (by_time && !m.history.empty()) all.push_back({0, m.history.front().second});
  std::size_t const step = 1 + m.history.size() / most_points;
  for (std::size_t i = 0; i < m.history.size(); ++i) {
    if (i % step != 0 && i + 1 != m.history.size()) continue;
    auto const [iteration, residual] = m.history[i];
    all.push_back({by_time ? minimum(m.setup) + minimum(m.solve) * iteration / last : iteration, residual});
  }
  return all;
}

/// The rounding level of the list with the least residual, whose x is the closest. 0: unknown.
double rounding_level(Ranking const& ranking) {
  double least = HUGE_VAL, level = 0;
  for (auto const* m : ranking) {
    if (m->failed() || m->solved.rounding_level <= 0 || !(m->solved.relative_residual < least)) continue;
    least = m->solved.relative_residual;
    level = m->solved.rounding_level;
  }
  return level;
}

/// The map from numbers to the picture.
struct Frame {
  double end = 0;               ///< of the abscissa
  int highest = 0, lowest = 0;  ///< decades
  double x(double value) const { return left + (right - left) * value / end; }
  double y(double residual) const {
    return top + (bottom - top) * (highest - std::log10(residual)) / (highest - lowest);
  }
};

Frame frame(Ranking const& ranking, Abscissa abscissa, double tolerance, double rounding) {
  bool const any_converged =
      std::any_of(ranking.begin(), ranking.end(), [](auto* m) { return m->converged(); });
  Frame result;
  double most = 1, least = tolerance;
  if (can_be_drawn(rounding)) least = std::min(least, rounding);
  for (auto const* m : ranking) {
    if (m->failed()) continue;
    if (m->converged() || !any_converged) result.end = std::max(result.end, end_of(*m, abscissa));
    auto drawn = points(*m, abscissa);
    drawn.push_back({0, m->solved.relative_residual});
    for (auto const& [x, residual] : drawn) {
      if (!can_be_drawn(residual)) continue;
      most = std::max(most, residual);
      least = std::min(least, residual);
    }
  }
  if (result.end <= 0) result.end = 1;
  result.highest = static_cast<int>(std::ceil(std::log10(most)));
  result.lowest = static_cast<int>(std::floor(std::log10(least)));
  if (result.lowest == result.highest) --result.lowest;
  return result;
}

/// 1, 2 or 5 times a power of ten, so that there are at most `most_ticks` up to `end`.
double tick_step(double end) {
  double const power = std::pow(10.0, std::floor(std::log10(end / most_ticks)));
  for (double const step : {1.0, 2.0, 5.0})
    if (end / (step * power) <= most_ticks) return step * power;
  return 10 * power;
}

std::string axes(Frame const& frame, Abscissa abscissa) {
  std::string svg;
  int const decades = frame.highest - frame.lowest, step = (decades + most_ticks - 1) / most_ticks;
  for (int decade = frame.highest; decade >= frame.lowest; decade -= step) {
    double const y = top + (bottom - top) * (frame.highest - decade) / decades;
    svg += svg_line("grid", left, y, right, y) + svg_text(left - 5, y + 4, "end", formatted("1e%d", decade));
  }
  double const unit = std::max(tick_step(frame.end), abscissa == Abscissa::iterations ? 1.0 : 0.0);
  for (int i = 0; i * unit <= frame.end; ++i)
    svg += svg_line("grid", frame.x(i * unit), bottom, frame.x(i * unit), bottom + 4) +
           svg_text(frame.x(i * unit), bottom + 17, "middle", core::message(static_cast<float>(i * unit)));
  auto const* const name = abscissa == Abscissa::iterations ? "iterations" : "seconds: setup, then solve";
  return svg + svg_text((left + right) / 2, height - 8, "middle", name);
}

std::string level(Frame const& frame, char const* kind, double residual, std::string const& name) {
  if (!can_be_drawn(residual)) return {};
  double const y = frame.y(residual);
  return svg_line(kind, left, y, right, y) + svg_text(left + 5, y - 4, "start", name);
}

/// The parts of the history between values that cannot be drawn, and the true residual.
std::string curve(Frame const& frame, Measurement const& m, Abscissa abscissa, std::size_t place) {
  auto const start = "<polyline class=\"curve\" stroke=\"" + colour(place) + "\" stroke-dasharray=\"" +
                     dashes(place) + "\" points=\"";
  std::string svg, part;
  auto const end_part = [&] {
    if (!part.empty()) svg += start + part + "\"/>\n";
    part.clear();
  };
  for (auto const& [x, residual] : points(m, abscissa)) {
    if (can_be_drawn(residual))
      part += formatted("%.1f,%.1f ", frame.x(x), frame.y(residual));
    else
      end_part();
  }
  end_part();
  double const residual = m.solved.relative_residual;
  if (!can_be_drawn(residual)) return svg;
  auto const fill = m.converged() ? colour(place) : std::string("#fff");
  return svg +
         formatted("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" stroke=\"", frame.x(end_of(m, abscissa)),
                   frame.y(residual)) +
         colour(place) + "\" fill=\"" + fill + "\"/>\n";
}

}  // namespace

std::string residual_chart(Ranking const& ranking, Abscissa abscissa, double tolerance) {
  double const rounding = rounding_level(ranking);
  auto const frame = cli::frame(ranking, abscissa, tolerance, rounding);
  auto const* const clip = abscissa == Abscissa::iterations ? "by-iterations" : "by-seconds";
  auto svg = begin_chart(width, height, "Relative residual of each list") +
             formatted(
                 "<clipPath id=\"%s\"><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\"/>"
                 "</clipPath>\n",
                 clip, left, top - 5, right - left + 5, bottom - top + 5);
  svg += axes(frame, abscissa);
  svg += level(frame, "tolerance", tolerance, core::message("tolerance ", tolerance));
  svg += level(frame, "rounding", rounding, formatted("rounding level %.0e", rounding));
  svg += formatted("<g clip-path=\"url(#%s)\">\n", clip);
  for (std::size_t i = ranking.size(); i-- > 0;) {  // the best on top
    if (ranking[i]->failed()) continue;
    svg += "<g><title>" + escaped(list_name(ranking[i]->list.file)) + "</title>\n" +
           curve(frame, *ranking[i], abscissa, i) + "</g>\n";
  }
  return svg + "</g>\n</svg>\n";
}

}  // namespace Tessera::cli
