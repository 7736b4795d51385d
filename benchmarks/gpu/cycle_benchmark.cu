// One V-cycle of a hierarchy in float, and of one in half, on a GPU: its time, and the time that its bytes
// would take at the speed of a copy.
//
// The bytes are HierarchyReport::cycle_bytes: for every pass (smoother step, residual, restriction,
// correction, coarse solve, conversion of b and x) the matrix as stored and each vector that it reads or
// writes, once.
#include <mpi.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/device.hpp"
#include "gpu/device_bandwidth.cuh"
#include "gpu/profiled.hpp"
#include "gpu/report.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "support/box_stencils.hpp"

namespace Tessera::benchmarks {
namespace {

comm::DistCsr<double, Cuda> on_one_rank(Cuda const& space, sparse::Csr<double, Cuda> local) {
  comm::Distribution const rows(comm::Communicator{}, local.rows);
  return {rows, comm::HaloPlan<Cuda>(space, rows, {}), std::move(local)};
}

nlohmann::ordered_json run(Cuda const& space, DeviceBandwidth const& bandwidth, char const* name,
                           BoxStencil const& stencil, multigrid::HalfLevels half) {
  auto const A = on_one_rank(space, stencil_matrix(space, stencil));
  std::vector<VertexId> ids(A.local.rows);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<VertexId>(i);
  multigrid::Parameters parameters;
  parameters.half = half;
  multigrid::Hierarchy<float, Cuda> hierarchy(space, A, core::to_space(space, ids), {}, parameters);
  Array<double, Cuda> b(space, ids.size()), x(space, ids.size());
  core::fill(space, b.span(), 1.0);
  auto const apply = [&] { hierarchy.apply(b.view(), x.span()); };
  EventTimer timer(space);
  auto const seconds = timer.median(apply);
  start_profiler();
  apply();
  core::synchronize(space);
  stop_profiler();
  auto const& report = hierarchy.report();
  auto const least = report.cycle_bytes / bandwidth.memcpy;
  std::printf("%-21s %8.1f MB in %7.1f us; at the speed of memcpy %7.1f us, %5.1f %% of that\n", name,
              report.cycle_bytes * 1e-6, seconds * 1e6, least * 1e6, 100 * least / seconds);
  for (auto const& level : report.levels) {
    std::printf("    %10lld rows %11lld entries  %-12s  %s\n", static_cast<long long>(level.rows),
                static_cast<long long>(level.nonzeros), level.format.c_str(), level.smoother.c_str());
  }
  std::fflush(stdout);
  return {
      {"problem", name}, {"bytes", report.cycle_bytes}, {"seconds", seconds}, {"of_copy", least / seconds}};
}

void run(std::string const& json) {
  auto const space = core::make_cuda(0);
  auto const bandwidth = measure_bandwidth(space);
  std::printf("copy: memcpy %.3f TB/s, kernel %.3f TB/s; one V-cycle\n\n", bandwidth.memcpy * 1e-12,
              bandwidth.kernel * 1e-12);
  auto cycles = nlohmann::ordered_json::array();
  using multigrid::HalfLevels;
  cycles.push_back(run(space, bandwidth, "Laplace3D 101^3", {101, 101, 101}, HalfLevels::none));
  cycles.push_back(run(space, bandwidth, "Laplace3D 101^3, half", {101, 101, 101}, HalfLevels::all));
  cycles.push_back(run(space, bandwidth, "Laplace3D 256^3", {256, 256, 256}, HalfLevels::none));
  cycles.push_back(run(space, bandwidth, "Laplace3D 256^3, half", {256, 256, 256}, HalfLevels::all));
  write_json(json,
             {{"copy", {{"memcpy", bandwidth.memcpy}, {"kernel", bandwidth.kernel}}}, {"cycle", cycles}});
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Tessera::benchmarks::run(Tessera::benchmarks::json_file(argc, argv));
  MPI_Finalize();
}
