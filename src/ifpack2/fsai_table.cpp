#include "ifpack2/fsai_table.hpp"

#include <sstream>

#include "ifpack2/print.hpp"

namespace Tessera::ifpack2 {

std::string row_sizes(std::size_t bin) {
  if (bin < 2) return std::to_string(bin + 1);
  return std::to_string((std::size_t{1} << (bin - 1)) + 1) + "-" + std::to_string(std::size_t{1} << bin);
}

std::string fsai_table(fsai::Report const& report) {
  std::ostringstream out;
  out << "Factor: {factors: " << report.factors << ", nonzeros: " << report.factor_nonzeros
      << ", density: " << formatted("%.3f", report.density) << ", bytes: " << bytes(report.bytes)
      << ", format: " << report.format << ", checksum: " << report.checksum << "}\n"
      << "Pattern: {nonzeros: " << report.pattern_nonzeros
      << ", density: " << formatted("%.3f", report.pattern_density) << ", largest row: " << report.largest_row
      << ", share filtered: " << formatted("%.3f", report.filtered_share) << "}\n"
      << "Rows by size: {";
  char const* separator = "";
  for (std::size_t bin = 0; bin < report.row_size_histogram.size(); ++bin) {
    if (report.row_size_histogram[bin] == 0) continue;
    out << separator << row_sizes(bin) << ": " << report.row_size_histogram[bin];
    separator = ", ";
  }
  out << "}\nPeak workspace: " << bytes(report.peak_workspace) << "\n";
  for (auto const& warning : report.warnings) out << "Warning: \"" << warning << "\"\n";
  return out.str();
}

}  // namespace Tessera::ifpack2
