#include <omp.h>

#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>

#include "cli/report.hpp"
#include "core/error.hpp"
#include "ifpack2/fsai_table.hpp"
#include "tpetra/communicator.hpp"

namespace Tessera::cli {
namespace {

using Json = nlohmann::ordered_json;

Json times(std::vector<double> const& seconds) {
  return {{"min", minimum(seconds)}, {"median", median(seconds)}};
}

Json levels(std::vector<baselines::Level> const& all) {
  auto result = Json::array();
  for (auto const& level : all) {
    Json one = {{"rows", level.rows}, {"nonzeros", level.nonzeros}, {"aggregates", level.aggregates}};
    one["checksum"] = level.checksum;
    result.push_back(std::move(one));
  }
  return result;
}

Json fsai_json(fsai::Report const& report) {
  Json sizes = Json::object();
  for (std::size_t bin = 0; bin < report.row_size_histogram.size(); ++bin)
    sizes[ifpack2::row_sizes(bin)] = report.row_size_histogram[bin];
  return {{"factors", report.factors},
          {"nonzeros", report.factor_nonzeros},
          {"density", report.density},
          {"pattern_nonzeros", report.pattern_nonzeros},
          {"pattern_density", report.pattern_density},
          {"filtered_share", report.filtered_share},
          {"largest_row", report.largest_row},
          {"rows_by_size", sizes},
          {"format", report.format},
          {"bytes", report.bytes},
          {"peak_workspace_bytes", report.peak_workspace},
          {"checksum", report.checksum}};
}

std::ofstream open(std::string const& file, std::ios::openmode mode = std::ios::out) {
  std::ofstream out(file, mode);
  TESSERA_VALIDATE(out.good(), file,
                   ": cannot be written; check that its folder exists and that you may write there");
  return out;
}

}  // namespace

Json problem_json(LinearSystem const& system) {
  auto const& A = *system.data.matrix;
  return {{"problem", system.name},
          {"rows", A.getGlobalNumRows()},
          {"nonzeros", A.getGlobalNumEntries()},
          {"ranks", system.comm().getSize()},
          {"threads", omp_get_max_threads()}};
}

Json measurement_json(Measurement const& m) {
  Json json;
  json["backend"] = m.info.backend;
  json["device"] = m.info.device;
  json["xml"] = m.choice.file;
  json["preconditioner"] = m.preconditioner;
  json["solver"] = m.outcome.solver;
  json["iterations"] = m.outcome.iterations;
  json["converged"] = m.converged;
  json["tolerance"] = m.choice.krylov.tolerance;
  json["relative_residual"] = m.outcome.relative_residual;
  json["setup_seconds"] = times(m.setup);
  json["solve_seconds"] = times(m.solve);
  json["total_seconds"] = times(totals(m));
  json["transfer_seconds"] = m.transfer.empty() ? 0.0 : minimum(m.transfer);
  json["peak_memory_bytes"] = m.peak_memory;
  json["device_peak_bytes"] = m.device_peak_memory;
  json["operator_complexity"] = m.info.operator_complexity;
  json["grid_complexity"] = m.info.grid_complexity;
  json["levels"] = levels(m.info.levels);
  if (m.info.fsai) json["fsai"] = fsai_json(*m.info.fsai);
  json["phases"] = m.info.phases;
  return json;
}

void write_json(std::string const& file, Json const& json) {
  open(file) << std::setw(2) << json << '\n';
}

void write_history(std::string const& file, belos::SolveOutcome const& outcome) {
  auto out = open(file);
  out << "iteration,relative_residual\n" << std::scientific;
  for (auto const& [iteration, residual] : outcome.history) out << iteration << ',' << residual << '\n';
}

void check_writable(Teuchos::Comm<int> const& comm, std::vector<std::string> const& files) {
  comm::together(tpetra::communicator(comm), [&] {
    if (comm.getRank() != 0) return;
    for (auto const& file : files)
      if (!file.empty()) open(file, std::ios::app);
  });
}

}  // namespace Tessera::cli
