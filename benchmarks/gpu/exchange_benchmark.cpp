/// \file
/// What an exchange of ghosts between GPUs takes.
///
///     mpirun -np 2 exchange_benchmark                        peer exchange, where the GPUs reach each other
///     TESSERA_PEER_GPUS=0 mpirun -np 2 exchange_benchmark    NCCL, where there is one
///     TESSERA_PEER_GPUS=0 TESSERA_NCCL=0 mpirun -np 2 exchange_benchmark    MPI
///
/// Each rank sends its first n doubles to the rank before it and the rank behind. Microseconds of the slowest
/// rank: enqueued one after the other, waited for one by one, and ten in a graph.
#include <mpi.h>

#include <algorithm>
#include <cstdio>

#include "comm/communicator.hpp"
#include "comm/halo_plan.hpp"
#include "core/device.hpp"
#include "core/graph.hpp"

namespace Tessera::benchmarks {
namespace {

/// The first n rows of both neighbours in a ring.
std::vector<GlobalIndex> ghosts(comm::Distribution const& rows, Index n) {
  int const me = rows.comm().rank(), size = rows.comm().size();
  std::vector<GlobalIndex> result;
  for (int const r : {(me + size - 1) % size, (me + 1) % size}) {
    for (Index i = 0; r != me && i < n; ++i) result.push_back(rows.begin(r) + i);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void run(comm::Communicator const& comm) {
  auto const space = core::make_cuda(comm.rank() % static_cast<int>(core::cuda_devices().size()));
  auto const way = comm::transport_name(space, comm);
  if (comm.rank() == 0)
    std::printf("%s\n%10s %12s %12s %12s\n", way.c_str(), "n", "enqueued", "waited", "graph");
  auto const microseconds = [&](int times, auto const& work) {
    for (int k = 0; k < 3; ++k) work();
    core::synchronize(space);
    MPI_Barrier(comm.raw());
    double const start = MPI_Wtime();
    for (int k = 0; k < times; ++k) work();
    core::synchronize(space);
    return comm.max(1e6 * (MPI_Wtime() - start) / times);
  };
  for (Index const n : {256, 4096, 65536, 262144}) {
    comm::Distribution const rows(comm, n);
    comm::HaloPlan<Cuda> const plan(space, rows, ghosts(rows, n));
    Array<double, Cuda> owned(space, n), target(space, plan.ghost_count());
    auto const exchange = [&] { plan.exchange(space, Span<double const>(owned.span()), target.span()); };
    double const enqueued = microseconds(100, exchange);
    double const waited = microseconds(100, [&] {
      exchange();
      core::synchronize(space);
    });
    double recorded = 0;
    if (plan.recordable(space, sizeof(double))) {
      core::Graph<Cuda> graph;
      graph.capture(space, [&] {
        for (int k = 0; k < 10; ++k) exchange();
      });
      recorded = microseconds(50, [&] { graph.launch(space); }) / 10;
    }
    if (comm.rank() == 0) std::printf("%10d %12.1f %12.1f %12.1f\n", n, enqueued, waited, recorded);
  }
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    Tessera::benchmarks::run(Tessera::comm::Communicator(MPI_COMM_WORLD));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "exchange_benchmark: %s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
