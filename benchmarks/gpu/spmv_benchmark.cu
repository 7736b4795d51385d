// Bytes/s of SpMV on a GPU over those of a copy, and its time beside that of cuSPARSE's CSR product.
//
// Bytes are those of the matrix as stored (values, columns, offsets, and the rows of the slots where SELL's
// are sorted), plus x once and y once: sizeof(T) * (rows + columns). cuSPARSE's are those of its own CSR
// (32-bit offsets); it is the faster of its two algorithms, preprocessed.
//
// Then all formats on the matrices of Kreutzer et al. 2012, in double beside cuSPARSE's CSR and sliced
// ELLPACK, and in single; and products in pJDS with x brought to the device and y brought back (pinned), for
// the paper's equations 2 to 4.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "gpu/cusparse_product.cuh"
#include "gpu/device_bandwidth.cuh"
#include "gpu/report.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/formats/sell.hpp"
#include "support/box_stencils.hpp"
#include "support/compare_formats.hpp"
#include "support/kreutzer_2012.hpp"

namespace Tessera::benchmarks {
namespace {

struct Problem {
  char const* name;
  BoxStencil stencil;
};

constexpr Problem problems[] = {{"Laplace2D 1024^2", {1024, 1024, 1}},
                                {"Laplace3D 101^3", {101, 101, 101}},
                                {"Laplace3D 256^3", {256, 256, 256}},
                                {"Brick3D 101^3", {101, 101, 101, 1, false}}};

class Benchmark {
 public:
  Benchmark(Cuda const& space, DeviceBandwidth const& bandwidth)
      : space_(space), bandwidth_(bandwidth), timer_(space) {}

  template <class T>
  void run(Problem const& problem, sparse::Csr<double, Cuda> const& made) {
    auto const A = sparse::copied<T>(space_, made, space_);
    auto const S = sparse::to_sell<T>(space_, A.view(), {});
    Array<T, Cuda> x(space_, A.columns), y(space_, A.rows);
    core::fill(space_, x.span(), T{1});
    double const vectors = sizeof(T) * (static_cast<double>(A.rows) + A.columns);
    auto const timed = [&](auto view) {
      return timer_.median([&] {
        sparse::row_reduce(space_, view, sparse::OneVector<T>{x.data()}, sparse::StoreProduct<T>{y.data()});
      });
    };
    double cusparse = 1e30;
    for (auto algorithm : {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2}) {
      CusparseProduct<T> const product(space_, A.view(), x.view(), y.span(), algorithm);
      cusparse = std::min(cusparse, timer_.median([&] { product(); }));
    }
    auto const sell_bytes = S.offsets.bytes() + S.column.bytes() + S.value.bytes() +
                            (S.view().in_order() ? 0 : S.row.bytes()) + vectors;
    char const* const type = sizeof(T) == 8 ? "double" : "float";
    row(problem.name, type, "SELL", timed(S.view()), sell_bytes, cusparse);
    row(problem.name, type, "CSR", timed(A.view()), A.bytes() + vectors, cusparse);
    row(problem.name, type, "cuSPARSE CSR", cusparse, A.bytes() - A.offsets.bytes() / 2 + vectors, cusparse);
  }

  nlohmann::ordered_json const& rows() const { return rows_; }

  nlohmann::ordered_json formats(PaperMatrix const& matrix) {
    auto const A = sparse::copied<double>(Host{}, made(matrix), space_);
    auto figures =
        compare_formats<double>(space_, A.view(), [&](auto const& work) { return timer_.median(work); });
    Array<double, Cuda> x(space_, A.columns), y(space_, A.rows);
    core::fill(space_, x.span(), 1.0);
    auto const vectors = x.bytes() + y.bytes();
    auto const add = [&](char const* name, std::size_t entries, std::size_t bytes, double seconds) {
      figures["formats"].push_back(
          {{"format", name}, {"entries", entries}, {"bytes", bytes + vectors}, {"seconds", seconds}});
    };
    double csr = 1e30;
    for (auto algorithm : {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2}) {
      CusparseProduct<double> const product(space_, A.view(), x.view(), y.span(), algorithm);
      csr = std::min(csr, timer_.median([&] { product(); }));
    }
    add("cuSPARSE CSR", A.value.size(), A.bytes() - A.offsets.bytes() / 2, csr);
    auto S = sparse::to_sell<double>(space_, A.view(), {32, 1});
    CusparseProduct<double> const product(space_, A.view(), S, x.view(), y.span());
    add("cuSPARSE SELL", S.value.size(), S.value.bytes() + S.column.bytes() + S.offsets.bytes() / 2,
        timer_.median([&] { product(); }));
    for (auto const& one : figures["formats"]) {
      double const seconds = one["seconds"], entries = one["entries"], bytes = one["bytes"];
      double const longest = figures["longest"];
      std::printf("%-6s %9d %-13s %9.2f %8.1f %7.3f %8.2f %8.1f %10.4f %12.2f\n", matrix.name.c_str(), A.rows,
                  one["format"].get<std::string>().c_str(), seconds * 1e6,
                  2e-9 * static_cast<double>(A.value.size()) / seconds, bytes / seconds * 1e-12,
                  bytes / seconds / bandwidth_.memcpy, 100 * (1 - entries / (longest * A.rows)),
                  100 * (entries / static_cast<double>(A.value.size()) - 1), csr / seconds);
    }
    auto const single =
        compare_formats<float>(space_, A.view(), [&](auto const& work) { return timer_.median(work); });
    nlohmann::ordered_json row{{"matrix", matrix.name}, {"paper", paper_figures(matrix)}};
    row.update(figures);
    row["single"] = single["formats"];
    row["pcie"] = with_copies(A);
    std::printf("%-6s copies of x and y %.2f us, product %.2f us, both %.2f us\n", matrix.name.c_str(),
                1e6 * row["pcie"]["copies"].get<double>(), 1e6 * row["pcie"]["product"].get<double>(),
                1e6 * row["pcie"]["both"].get<double>());
    std::fflush(stdout);
    return row;
  }

 private:
  /// Seconds of a product in pJDS, of x's way to the device and y's back, and of all three in a row.
  nlohmann::ordered_json with_copies(sparse::Csr<double, Cuda> const& A) {
    sparse::SplitRows<double, Cuda> const S(space_, A.view(), {true, {}}, {}, {sparse::MatrixFormat::pjds});
    Array<double, Cuda> x(space_, A.columns), y(space_, A.rows);
    core::fill(space_, x.span(), 1.0);
    double *pinned_x = nullptr, *pinned_y = nullptr;
    TESSERA_CUDA_CHECK(cudaMallocHost(&pinned_x, x.bytes()));
    TESSERA_CUDA_CHECK(cudaMallocHost(&pinned_y, y.bytes()));
    std::fill_n(pinned_x, x.size(), 1.0);
    auto const up = [&] {
      TESSERA_CUDA_CHECK(
          cudaMemcpyAsync(x.data(), pinned_x, x.bytes(), cudaMemcpyHostToDevice, space_.stream));
    };
    auto const down = [&] {
      TESSERA_CUDA_CHECK(
          cudaMemcpyAsync(pinned_y, y.data(), y.bytes(), cudaMemcpyDeviceToHost, space_.stream));
    };
    auto const product = [&] {
      S.visit_first([&](auto const& view) {
        sparse::row_reduce(space_, view, sparse::OneVector<double>{x.data()},
                           sparse::StoreProduct<double>{y.data()});
      });
    };
    nlohmann::ordered_json seconds{{"copies", timer_.median([&] { up(), down(); })},
                                   {"product", timer_.median(product)},
                                   {"both", timer_.median([&] { up(), product(), down(); })},
                                   {"memory_bandwidth", bandwidth_.memcpy}};
    TESSERA_CUDA_CHECK(cudaFreeHost(pinned_x));
    TESSERA_CUDA_CHECK(cudaFreeHost(pinned_y));
    return seconds;
  }

  void row(char const* problem, char const* type, char const* kernel, double seconds, double bytes,
           double cusparse) {
    std::printf("%-17s %-7s %-13s %9.2f %9.1f %7.3f %8.2f %12.2f\n", problem, type, kernel, seconds * 1e6,
                bytes * 1e-6, bytes / seconds * 1e-12, bytes / seconds / bandwidth_.memcpy,
                cusparse / seconds);
    std::fflush(stdout);
    rows_.push_back({{"problem", problem},
                     {"type", type},
                     {"kernel", kernel},
                     {"seconds", seconds},
                     {"bytes", bytes},
                     {"bytes_per_second", bytes / seconds},
                     {"of_copy", bytes / seconds / bandwidth_.memcpy},
                     {"over_cusparse", cusparse / seconds}});
  }

  Cuda space_;
  DeviceBandwidth bandwidth_;
  EventTimer timer_;
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

void run(std::string const& json) {
  Cuda const space{};
  cudaDeviceProp device{};
  TESSERA_CUDA_CHECK(cudaGetDeviceProperties(&device, space.device));
  auto const bandwidth = measure_bandwidth(space);
  std::printf("%s; copy: memcpy %.3f TB/s, kernel %.3f TB/s\n\n", device.name, bandwidth.memcpy * 1e-12,
              bandwidth.kernel * 1e-12);
  std::printf("%-17s %-7s %-13s %9s %9s %7s %8s %12s\n", "problem", "type", "kernel", "us", "MB", "TB/s",
              "of copy", "of cuSPARSE");
  Benchmark benchmark(space, bandwidth);
  for (auto const& problem : problems) {
    auto const A = stencil_matrix(space, problem.stencil);
    benchmark.run<double>(problem, A);
    benchmark.run<float>(problem, A);
  }
  std::printf("\n%-6s %9s %-13s %9s %8s %7s %8s %8s %10s %12s\n", "matrix", "rows", "kernel", "us", "Gflop/s",
              "TB/s", "of copy", "saved %", "overhead %", "of cuSPARSE");
  auto formats = nlohmann::ordered_json::array();
  for (auto const& matrix : kreutzer_2012()) formats.push_back(benchmark.formats(matrix));
  write_json(json, {{"device", device.name},
                    {"copy", {{"memcpy", bandwidth.memcpy}, {"kernel", bandwidth.kernel}}},
                    {"spmv", benchmark.rows()},
                    {"matrices", formats}});
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  Tessera::benchmarks::run(Tessera::benchmarks::json_file(argc, argv));
}
