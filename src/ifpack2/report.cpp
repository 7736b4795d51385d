#include "ifpack2/report.hpp"

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_VerboseObject.hpp>
#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "ifpack2/preconditioner_impl.hpp"

namespace Tessera::ifpack2 {
namespace {

using core::formatted;

/// Such as: 1.5 MiB.
std::string bytes(std::size_t count) {
  if (count < 10000) return formatted("%zu B", count);
  double value = static_cast<double>(count) / 1024;
  char const* const units[] = {"KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  for (; value >= 1000 && unit < 3; ++unit) value /= 1024;
  return formatted("%.1f %s", value, units[unit]);
}

using Row = std::vector<std::string>;

/// Aligns columns: numbers to the right, the last `left` columns to the left.
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

/// Level number; for a bootstrap after the component's number, such as: 2.0.
std::string level_name(multigrid::HierarchyReport const& report, std::size_t level) {
  for (std::size_t k = 0; k < report.components.size(); level -= report.components[k++].levels)
    if (level < report.components[k].levels) return std::to_string(k + 1) + "." + std::to_string(level);
  return std::to_string(level);
}

/// Such as: 3; for a bootstrap: 9 (3 + 3 + 3, of 3 components).
std::string levels_text(multigrid::HierarchyReport const& report) {
  auto text = std::to_string(report.levels.size());
  if (report.components.size() < 2) return text;
  std::string each;
  for (auto const& one : report.components) each += (each.empty() ? "" : " + ") + std::to_string(one.levels);
  return text + " (" + each + ", of " + std::to_string(report.components.size()) + " components)";
}

char const* precision_name(settings::Precision precision) {
  using settings::Precision;
  if (precision == Precision::automatic) return "auto";
  return precision == Precision::half ? "half" : "float";
}

}  // namespace

std::string hierarchy_table(multigrid::HierarchyReport const& report) {
  std::vector<Row> rows{{"level", "rows", "nonzeros", "per row", "aggregates", "sizes", "rho", "ranks",
                         "bytes", "bytes an entry", "format", "smoother"}};
  for (std::size_t l = 0; l < report.levels.size(); ++l) {
    auto const& level = report.levels[l];
    bool const coarsened = level.aggregates > 0;
    double const per_row =
        level.rows > 0 ? static_cast<double>(level.nonzeros) / static_cast<double>(level.rows) : 0.0;
    rows.push_back(
        {level_name(report, l), std::to_string(level.rows), std::to_string(level.nonzeros),
         formatted("%.1f", per_row), coarsened ? std::to_string(level.aggregates) : "-",
         coarsened ? std::to_string(level.smallest_aggregate) + ".." + std::to_string(level.largest_aggregate)
                   : "-",
         coarsened ? formatted("%.3f", level.spectral_radius) : "-", std::to_string(level.active_ranks),
         bytes(level.bytes), formatted("%.1f", level.entry_bytes),
         level.format + (level.precision == "half" ? " in half" : ""), level.smoother});
  }
  std::ostringstream out;
  out << aligned(rows, 2);
  out << "Levels: " << levels_text(report) << "\n"
      << "Cycle: " << report.cycle << "\n"
      << "Operator complexity: " << formatted("%.3f", report.operator_complexity) << "\n"
      << "Grid complexity: " << formatted("%.3f", report.grid_complexity) << "\n";
  if (!report.components.empty()) {
    out << "Bootstrap: {components: " << report.components.size() << ", convergence rates: [";
    for (auto const& one : report.components)
      out << (&one == &report.components.front() ? "" : ", ") << formatted("%.3f", one.convergence_rate);
    out << "]}\n";
  }
  out << "Held for refreshes: " << bytes(report.refresh_bytes) << "\n";
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
      << ", rows cut: " << report.cut_rows << ", row bound: " << report.row_bound
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

std::string list_text(Teuchos::ParameterList const& list, std::string const& indent) {
  std::string text;
  for (auto const& one : list) {
    std::string const& name = one.first;
    if (name == "user data" || name == "VerboseObject") continue;
    text += indent + "\"" + name + "\":";
    text += list.isSublist(name) ? "\n" + list_text(list.sublist(name), indent + "  ")
                                 : " " + Teuchos::toString(one.second.getAny(false)) + "\n";
  }
  return text;
}

std::string PreconditionerImpl::last_compute() const {
  return std::array<std::string, 6>{"nothing",
                                    "setup",
                                    method_.refresh,
                                    method_.reuse,
                                    "setup (refreshes had cost too many iterations)",
                                    "load (of a setup that was saved)"}[static_cast<int>(last_compute_)];
}

std::vector<std::pair<std::string, std::string>> PreconditionerImpl::facts() const {
  bool const single = operator_ ? !operator_->in_double() : settings_.precision != settings::Precision::full;
  std::vector<std::pair<std::string, std::string>> facts{
      {"Backend", backend_ ? backend_->text : planned_backend(settings_)},
      {"Precision", single ? precision_name(settings_.precision) : "double"},
      {"Last compute", "\"" + last_compute() + "\""}};
  if (method_.has_levels && settings_.multigrid.cycle == multigrid::CycleType::K) {
    facts.emplace_back(
        "Meant for",
        "\"flexible solvers, such as TESSERA FLEXIBLE CG, since a K-cycle is not linear; plain CG "
        "works in practice, plain GMRES stops too early\"");
  } else if (single) {
    facts.emplace_back(
        "Meant for",
        "\"CG and flexible solvers; others, such as GMRES, need precision: hierarchy = double\"");
  }
  return facts;
}

std::string PreconditionerImpl::report(Teuchos::EVerbosityLevel level) {
  if (!operator_) return {};
  std::string text;
  if (level >= Teuchos::VERB_MEDIUM)
    text = (list_.numParams() == 0 ? "Parameters: {}\n" : "Parameters:\n") + list_text(list_, "  ");
  auto const* levels = operator_->hierarchy_report();
  auto const* factor = operator_->fsai_report();
  text += levels != nullptr ? hierarchy_table(*levels) : fsai_table(*factor);
  if (level >= Teuchos::VERB_HIGH) text += phase_table(levels != nullptr ? levels->phases : factor->phases);
  return text;
}

namespace {

/// Whether the process prints this text for the first time. A program may make many preconditioners from one
/// list.
bool is_first(std::string const& text) {
  static std::mutex mutex;
  static std::set<std::string> printed;
  std::lock_guard const lock(mutex);
  return printed.insert(text).second;
}

}  // namespace

void PreconditionerImpl::print_notes(int rank) {
  using settings::Verbosity;
  auto const notes = std::exchange(notes_, {});
  if (settings_.verbosity == Verbosity::none) return;
  std::string text;
  for (auto const& note : notes)
    if (is_first(note)) text += "Tessera: warning: " + note + "\n";
  if (settings_.verbosity == Verbosity::low) {
    for (auto const& warning : operator_->warnings()) text += "Tessera: warning: " + warning + "\n";
  } else {
    auto const level = settings_.verbosity == Verbosity::medium ? Teuchos::VERB_LOW
                       : settings_.verbosity == Verbosity::high ? Teuchos::VERB_HIGH
                                                                : Teuchos::VERB_EXTREME;
    text += method_.name + "\n" + report(level);
  }
  if (rank != 0 || text.empty()) return;
  auto const out = Teuchos::VerboseObjectBase::getDefaultOStream();
  *out << text;
  out->getOStream()->flush();  // FancyOStream does not flush the stream below; a solve may take long
}

void PreconditionerImpl::warn_staging(int rank) const {
  static bool warned = false;  // once per process: a program may make many preconditioners
  if (warned || operator_->staged_bytes() == 0) return;
  warned = true;
  if (rank != 0) return;
  *Teuchos::VerboseObjectBase::getDefaultOStream()
      << "Tessera: vectors lie on the host and the " << method_.setup_result << " on " << operator_->device()
      << ": each apply() copies " << operator_->staged_bytes()
      << " bytes a column between them (rank 0); Tessera::solve leaves vectors on the GPU.\n";
}

}  // namespace Tessera::ifpack2
