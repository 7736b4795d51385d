#include "ifpack2/hierarchy_table.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "ifpack2/print.hpp"

namespace Tessera::ifpack2 {
namespace {

using Row = std::vector<std::string>;

/// Columns as wide as their widest entry; numbers to the right, the last `left` columns to the left.
std::string aligned(std::vector<Row> const& rows, std::size_t left) {
  std::vector<std::size_t> width(rows.front().size(), 0);
  for (auto const& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (auto const& row : rows) {
    std::string line = "#";
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::string const padding(width[c] - row[c].size(), ' ');
      line += "  " + (c + left < row.size() ? padding + row[c] : row[c] + padding);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string hierarchy_table(multigrid::HierarchyReport const& report) {
  std::vector<Row> rows{{"level", "rows", "nonzeros", "per row", "aggregates", "sizes", "rho", "ranks",
                         "bytes", "format", "smoother"}};
  for (std::size_t l = 0; l < report.levels.size(); ++l) {
    auto const& level = report.levels[l];
    bool const coarsened = level.aggregates > 0;
    double const per_row =
        level.rows > 0 ? static_cast<double>(level.nonzeros) / static_cast<double>(level.rows) : 0.0;
    rows.push_back(
        {std::to_string(l), std::to_string(level.rows), std::to_string(level.nonzeros),
         formatted("%.1f", per_row), coarsened ? std::to_string(level.aggregates) : "-",
         coarsened ? std::to_string(level.smallest_aggregate) + ".." + std::to_string(level.largest_aggregate)
                   : "-",
         coarsened ? formatted("%.3f", level.spectral_radius) : "-", std::to_string(level.active_ranks),
         bytes(level.bytes), level.format, level.smoother});
  }
  std::ostringstream out;
  out << aligned(rows, 2);
  out << "Levels: " << report.levels.size() << "\n"
      << "Cycle: " << report.cycle << "\n"
      << "Operator complexity: " << formatted("%.3f", report.operator_complexity) << "\n"
      << "Grid complexity: " << formatted("%.3f", report.grid_complexity) << "\n";
  auto const& held = report.refresh_bytes;
  out << "Held for refreshes: {kept: " << bytes(held.kept) << ", memory: " << bytes(held.memory) << "}\n";
  for (auto const& warning : report.warnings) out << "Warning: \"" << warning << "\"\n";
  return out.str();
}

std::string phase_table(core::PhaseTimes const& phases) {
  std::vector<std::pair<double, std::string>> longest;
  for (auto const& phase : phases) longest.emplace_back(phase.second, phase.first);
  std::sort(longest.rbegin(), longest.rend());
  std::string text = "Seconds by phase: {";
  for (std::size_t i = 0; i < longest.size(); ++i) {
    text += (i ? ", " : "") + longest[i].second + ": " + formatted("%.4f", longest[i].first);
  }
  return text + "}\n";
}

}  // namespace Tessera::ifpack2
