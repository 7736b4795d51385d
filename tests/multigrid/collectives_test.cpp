// How many operations of MPI a setup takes: each of them waits for all ranks.
#include <gtest/gtest.h>
#include <mpi.h>

#include <vector>

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

// Reductions that run while rounds of MIS(2) do (MPI_Iallreduce) are not counted.
TEST(Collectives, ASetupTakesFewOnEachLevel) {
  auto const comm = world();
  if (comm.size() != 2) GTEST_SKIP() << "counted on two ranks";
  auto const A = distribute(oracle::laplace(40, 40, 40), share(comm, 64000));
  multigrid::Parameters parameters;
  parameters.coarse_max_size = 60;
  std::vector<Counts> at;  // after the matrix of a level is known and checked
  counts = {};
  multigrid::Hierarchy<float, Host> M(Host{}, A, node_ids_on(Host{}, A.rows), {}, parameters,
                                      [&](int, GlobalIndex, GlobalIndex) { at.push_back(counts); });
  auto const all = counts;
  auto const& levels = M.report().levels;
  ASSERT_EQ(levels.size(), 4u);
  EXPECT_EQ(levels[1].active_ranks, 2);
  EXPECT_EQ(levels[2].active_ranks, 1);
  EXPECT_LE(all.reductions, 50);
  EXPECT_LE(all.gathers, 30);
  EXPECT_LE(all.all_to_alls, 10);
  // The second level has, in addition, a filter with its vector, and moves to one rank.
  std::vector<Counts> const most{{22, 10, 5}, {23, 12, 5}, {5, 2, 0}};
  for (std::size_t l = 0; l < most.size(); ++l) {
    EXPECT_LE(at[l + 1].reductions - at[l].reductions, most[l].reductions) << "level " << l;
    EXPECT_LE(at[l + 1].gathers - at[l].gathers, most[l].gathers) << "level " << l;
    EXPECT_LE(at[l + 1].all_to_alls - at[l].all_to_alls, most[l].all_to_alls) << "level " << l;
  }
}

}  // namespace
}  // namespace Tessera::test
