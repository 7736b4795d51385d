#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/report.hpp"
#include "core/error.hpp"

namespace Tessera::cli {
namespace {

using core::formatted;

/// Smallest total of the converged lists of other libraries; infinite if there is none.
double best_of_the_others(std::vector<Measurement> const& measurements) {
  double best = std::numeric_limits<double>::infinity();
  for (auto const& m : measurements)
    if (!is_ours(m) && m.converged()) best = std::min(best, minimum(totals(m)));
  return best;
}

std::string complexity(double value) {
  return value > 0 ? formatted("%.2f", value) : "-";
}

}  // namespace

std::string headline(SystemFigures const& system, double tolerance) {
  return core::message(system.name, ": ", system.rows, " rows, ", system.nonzeros, " nonzeros; ",
                       plural(system.ranks, "rank"), " of ", plural(system.threads, "thread"), "; ",
                       system.rhs, "; tolerance ", tolerance, "\n");
}

std::string summary(Measurement const& m) {
  std::string text = m.info.description;
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (auto const& warning : m.info.warnings) text += "warning: " + warning + '\n';
  text += formatted("%s, %s: %s in %s, true relative residual %s\n", m.preconditioner.c_str(),
                    m.solved.solver.c_str(), m.converged() ? "converged" : "NOT CONVERGED",
                    plural(m.solved.iterations, "iteration").c_str(),
                    figure("%.3e", m.solved.relative_residual).c_str());
  if (m.solved.restarts > 0)
    text += "started again " + plural(m.solved.restarts, "time") +
            ": the solver had stopped above the tolerance\n";
  if (m.converged() && !m.solved.projection.empty()) text += m.solved.projection + '\n';
  if (!m.converged()) text += std::string(name(m.result.status)) + ": " + m.result.reason + '\n';
  text +=
      formatted("backward error %s by norm, %s row-wise\n", figure("%.1e", m.solved.backward_error).c_str(),
                figure("%.1e", m.solved.row_error).c_str());
  for (auto const& warning : m.solved.warnings) text += "warning: " + warning + '\n';
  text += formatted("setup %.3f s, solve %.3f s, total %.3f s", minimum(m.setup), minimum(m.solve),
                    minimum(totals(m)));
  if (m.setup.size() > 1) {
    text += formatted(" (smallest of %zu; medians %.3f, %.3f, %.3f; first setup %.3f)", m.setup.size(),
                      median(m.setup), median(m.solve), median(totals(m)), m.setup.front());
  }
  if (!m.transfer.empty() && minimum(m.transfer) > 0)
    text += formatted("; reading the matrix %.4f s, to the GPU and back %.4f s, %.0f and %.0f MB",
                      minimum(m.reading), minimum(m.transfer), megabytes(m.to_device), megabytes(m.to_host));
  return text + formatted("\npeak memory %.0f MB\n", megabytes(m.peak_memory));
}

std::string comparison(std::vector<Measurement> const& measurements) {
  double const best = best_of_the_others(measurements);
  std::size_t width = 4, repeats = 0;
  for (auto const& m : measurements) width = std::max(width, list_name(m.list.file).size());
  int const w = static_cast<int>(width);
  std::string text = formatted("\n%-*s  %-18s %10s %9s %9s %9s %9s %9s %10s %11s %14s\n", w, "list",
                               "preconditioner", "iterations", "first s", "setup s", "solve s", "total s",
                               "vs best", "memory MB", "op. compl.", "true residual");
  text += std::string(text.size() - 2, '-') + '\n';
  for (auto const& m : measurements) {
    text += formatted("%-*s  %-18s", w, list_name(m.list.file).c_str(),
                      m.preconditioner.empty() ? "-" : m.preconditioner.c_str());
    if (!m.failed()) {
      double const total = minimum(totals(m));
      auto const ratio = m.converged() && best < 1e300 ? formatted("%.2f", total / best) : std::string("-");
      text += formatted(" %10d %9.3f %9.3f %9.3f %9.3f %9s %10.0f %11s %14s", m.solved.iterations,
                        m.setup.front(), minimum(m.setup), minimum(m.solve), total, ratio.c_str(),
                        megabytes(m.peak_memory), complexity(m.info.operator_complexity).c_str(),
                        figure("%.2e", m.solved.relative_residual).c_str());
      repeats = std::max(repeats, m.setup.size());
    }
    text += (m.converged() ? "" : "  ") + trouble(m) + '\n';
  }
  text +=
      "first s: the first setup; vs best: total divided by the smallest total of ML, MueLu and Ifpack2; "
      "times are "
      "the "
      "smallest of ";
  text += plural(static_cast<int>(repeats), "repeat");
  return text +
         ", largest over the ranks; memory is the sum over the ranks.\nML's times and memory exclude its "
         "copy of the matrix in Epetra's format.\n";
}

}  // namespace Tessera::cli
