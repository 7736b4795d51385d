#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/report.hpp"
#include "core/version.hpp"
#include "ifpack2/report.hpp"

namespace Tessera::cli {
namespace {

using Json = nlohmann::ordered_json;

Json times(std::vector<double> const& seconds) {
  if (seconds.empty()) return nullptr;
  return {{"min", minimum(seconds)}, {"median", median(seconds)}};
}

Json setup_times(std::vector<double> const& seconds) {
  auto json = times(seconds);
  if (!seconds.empty()) json["first"] = seconds.front();
  return json;
}

/// Whether a key holds a figure, which a failed list does not have.
bool is_figure(std::string const& key) {
  for (auto known : {"xml", "preconditioner", "converged", "status", "reason"})
    if (key == known) return false;
  return true;
}

Json levels(std::vector<baselines::Level> const& all) {
  auto result = Json::array();
  for (auto const& level : all) {
    Json one = {{"rows", level.rows}, {"nonzeros", level.nonzeros}, {"aggregates", level.aggregates}};
    one["format"] = level.format;
    one["precision"] = level.precision;
    one["bytes_an_entry"] = level.entry_bytes;
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
          {"rows_cut", report.cut_rows},
          {"row_bound", report.row_bound},
          {"rows_by_size", sizes},
          {"format", report.format},
          {"bytes", report.bytes},
          {"peak_workspace_bytes", report.peak_workspace},
          {"checksum", report.checksum}};
}

}  // namespace

Json system_json(SystemFigures const& system) {
  return {{"version", core::version()},  {"problem", system.name},    {"rows", system.rows},
          {"nonzeros", system.nonzeros}, {"columns", system.columns}, {"ranks", system.ranks},
          {"threads", system.threads}};
}

Json measurement_json(Measurement const& m) {
  Json json;
  json["backend"] = m.info.backend;
  json["device"] = m.info.device;
  json["xml"] = m.list.file;
  json["preconditioner"] = m.preconditioner;
  json["solver"] = m.solved.solver;
  json["iterations"] = m.solved.iterations;
  json["converged"] = m.converged();
  json["status"] = name(m.result.status);
  json["reason"] = m.result.reason;
  json["warnings"] = m.solved.warnings;
  json["backward_error"] = m.solved.backward_error;
  json["row_wise_backward_error"] = m.solved.row_error;
  json["projected_share"] = m.solved.projected_share;
  json["tolerance"] = m.tolerance;
  json["relative_residual"] = m.solved.relative_residual;
  json["setup_seconds"] = setup_times(m.setup);
  json["solve_seconds"] = times(m.solve);
  json["total_seconds"] = times(totals(m));
  json["reading_seconds"] = m.reading.empty() ? 0.0 : minimum(m.reading);
  json["transfer_seconds"] = m.transfer.empty() ? 0.0 : minimum(m.transfer);
  json["transfer_bytes"] = {{"to_device", m.to_device}, {"to_host", m.to_host}};
  json["peak_memory_bytes"] = m.peak_memory;
  json["device_peak_bytes"] = m.device_peak_memory;
  json["operator_complexity"] = m.info.operator_complexity;
  json["grid_complexity"] = m.info.grid_complexity;
  json["levels"] = levels(m.info.levels);
  if (m.info.fsai) json["fsai"] = fsai_json(*m.info.fsai);
  json["phases"] = m.info.phases;
  for (auto const& item : json.items())
    if (m.failed() && is_figure(item.key())) item.value() = nullptr;
  return json;
}

std::string json_text(Json const& json) {
  // JSON must be UTF-8, but the names of files need not.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string history_text(Measurement const& m) {
  std::ostringstream text;
  text << "iteration,relative_residual\n" << std::scientific;
  for (auto const& [iteration, residual] : m.history)
    text << iteration << ',' << (std::isnan(residual) ? std::abs(residual) : residual) << '\n';
  return text.str();
}

}  // namespace Tessera::cli
