// Compares the formats on this host: table I of Kreutzer et al. 2012.
//
//     formats_benchmark [--json FILE] [MATRIX.mtx ...]
//
// For each matrix in each format: stored entries, with padding; the share saved compared with ELLPACK, whose
// rows are all as long as the longest; Gflop/s and GB/s in double on OMP_NUM_THREADS threads. The last
// columns give the bounds of the paper's model at the bandwidth of STREAM's triad, measured for each matrix:
// x from memory for each entry, or once. Matrix Market files are further matrices. DLR2 takes 8 GB.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "market/market_file.hpp"
#include "support/bandwidth.hpp"
#include "support/compare_formats.hpp"
#include "support/kreutzer_2012.hpp"

namespace Tessera::benchmarks {
namespace {

/// The smallest of at least five times, within a second, after one warm-up.
template <class Work>
double seconds(Work const& work) {
  double best = 1e30, sum = 0;
  for (int pass = 0; pass <= 5 || sum < 1; ++pass) {
    auto const start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - start;
    sum += elapsed.count();
    if (pass > 0) best = std::min(best, elapsed.count());
  }
  return best;
}

sparse::Csr<double, Host> from_file(std::string const& path) {
  market::MarketFile file(path);
  auto const listed = file.coordinate_entries();
  std::vector<std::vector<std::pair<Index, double>>> rows(static_cast<std::size_t>(file.rows()));
  for (std::size_t k = 0; k < listed.value.size(); ++k) {
    rows[listed.row[k]].emplace_back(listed.column[k], listed.value[k]);
    if (file.symmetric() && listed.row[k] != listed.column[k])
      rows[listed.column[k]].emplace_back(listed.row[k], listed.value[k]);
  }
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return assembled(static_cast<Index>(file.rows()), [&](Index i, auto const& entry) {
    for (auto const& [column, value] : rows[i]) entry(column, value);
  });
}

class Table {
 public:
  Table() {
    std::printf("%d threads\n\n%-12s %9s %6s %7s %-12s %9s %10s %8s %8s  %s\n", omp_get_max_threads(),
                "matrix", "rows", "a row", "longest", "format", "saved %", "overhead %", "Gflop/s", "GB/s",
                "model: Gflop/s");
  }
  void add(std::string const& name, nlohmann::ordered_json const& paper, sparse::CsrView<double> A) {
    auto const bandwidth = measure_bandwidth().triad;
    auto figures = compare_formats<double>(Host{}, A, [](auto const& work) { return seconds(work); });
    double const nonzeros = figures["nonzeros"], rows = figures["rows"], longest = figures["longest"];
    double const worst = code_balance(1, nonzeros / rows),
                 best = code_balance(rows / nonzeros, nonzeros / rows);
    for (auto const& one : figures["formats"]) {
      double const entries = one["entries"], time = one["seconds"], bytes = one["bytes"];
      std::printf("%-12s %9.0f %6.1f %7.0f %-12s %9.1f %10.3f %8.2f %8.1f  %.2f to %.2f\n", name.c_str(),
                  rows, nonzeros / rows, longest, one["format"].get<std::string>().c_str(),
                  100 * (1 - entries / (rows * longest)), 100 * (entries / nonzeros - 1),
                  2e-9 * nonzeros / time, bytes / time * 1e-9, bandwidth / worst * 1e-9,
                  bandwidth / best * 1e-9);
    }
    std::printf("%-12s auto: %s; triad %.1f GB/s\n", name.c_str(),
                figures["automatic"].get<std::string>().c_str(), bandwidth * 1e-9);
    std::fflush(stdout);
    nlohmann::ordered_json row{
        {"matrix", name}, {"paper", paper}, {"balance", {worst, best}}, {"triad", bandwidth}};
    row.update(figures);
    rows_.push_back(row);
  }
  nlohmann::ordered_json json() const { return {{"matrices", rows_}}; }

 private:
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

void run(std::string const& json, std::vector<std::string> const& files) {
  Table table;
  for (auto const& matrix : kreutzer_2012())
    table.add(matrix.name, paper_figures(matrix), made(matrix).view());
  for (auto const& file : files) {
    auto const name = file.substr(file.find_last_of('/') + 1);
    table.add(name.substr(0, name.rfind(".mtx")), nullptr, from_file(file).view());
  }
  if (!json.empty()) std::ofstream(json) << table.json().dump(1) << '\n';
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  std::string json;
  if (files.size() >= 2 && files[0] == "--json") {
    json = files[1];
    files.erase(files.begin(), files.begin() + 2);
  }
  if (std::any_of(files.begin(), files.end(), [](auto const& file) { return file.rfind("--", 0) == 0; })) {
    std::fprintf(stderr, "usage: %s [--json FILE] [MATRIX.mtx ...]\n", argv[0]);
    return 2;
  }
  Tessera::benchmarks::run(json, files);
}
