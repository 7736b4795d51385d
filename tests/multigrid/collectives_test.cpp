// How many operations of MPI a setup takes: on a GPU each of them waits for it.
#include <gtest/gtest.h>
#include <mpi.h>

#include "multigrid/levels/hierarchy.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"

namespace {

struct Counts {
  int reductions = 0, gathers = 0, all_to_alls = 0;
} counts;

}  // namespace

// MPI's profiling interface: these stand before MPI's own.
extern "C" {
int MPI_Allreduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++counts.reductions;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}
int MPI_Allgather(void const* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype of,
                  MPI_Comm comm) {
  ++counts.gathers;
  return PMPI_Allgather(in, n, type, out, m, of, comm);
}
int MPI_Alltoall(void const* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype of, MPI_Comm comm) {
  ++counts.all_to_alls;
  return PMPI_Alltoall(in, n, type, out, m, of, comm);
}
}

namespace Tessera::test {
namespace {

// An agreement in each exchange of MIS(2), or in each step of Lanczos, would be beyond the bound.
TEST(Collectives, ASetupTakesFew) {
  auto const comm = world();
  if (comm.size() != 2) GTEST_SKIP() << "counted on two ranks";
  auto const A = distribute(oracle::laplace(60, 60), share(comm, 3600, false));
  multigrid::Parameters parameters;
  parameters.rows_per_rank = 1;
  parameters.coarse_max_size = 60;
  counts = {};
  multigrid::Hierarchy<float, Host> M(Host{}, A, node_ids_on(Host{}, A.rows), {}, parameters);
  auto const found = counts;
  ASSERT_EQ(M.report().levels.size(), 3u);
  EXPECT_LE(found.reductions, 64);
  EXPECT_LE(found.gathers, 48);
  EXPECT_LE(found.all_to_alls, 8);
}

}  // namespace
}  // namespace Tessera::test
