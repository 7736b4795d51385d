#include "aggregation/reshaping.hpp"
#include "oracle/generators.hpp"
#include "support/device.hpp"
#include "support/distribute.hpp"

namespace Tessera {
namespace {

using aggregation::Aggregates;

/// All steps of both back ends agree. Returns whether they changed anything on this rank.
bool expect_the_hosts(comm::DistCsr<double, Host> const& A, Cuda const& device) {
  Host const host;
  auto const ids = test::ids_of(A.rows);
  auto const graph = test::graph_of(A);
  auto const there = comm::copied(host, A, device);
  auto const ids_there = core::copied(host, ids.view(), device);
  auto const graph_there = aggregation::strength(device, there, {}, {});
  auto const before = aggregation::aggregate(host, graph, ids.view(), {});
  bool changed = false;
  for (int const steps : {1, 4}) {
    Aggregates<Host> expected{before.coarse, core::copied(host, before.aggregate.view(), host),
                              core::copied(host, before.ids.view(), host)};
    Aggregates<Cuda> result{before.coarse, core::copied(host, before.aggregate.view(), device),
                            core::copied(host, before.ids.view(), device)};
    aggregation::reshape(host, graph, ids.view(), steps, expected);
    aggregation::reshape(device, graph_there, ids_there.view(), steps, result);
    auto const numbers = core::to_vector(host, expected.aggregate.view());
    EXPECT_EQ(core::to_vector(device, result.aggregate.view()), numbers);
    changed = changed || numbers != core::to_vector(host, before.aggregate.view());
  }
  return changed;
}

TEST(CudaReshape, IsTheHostsHoweverVerticesAreShared) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const& A : test::many_problems()) {
    for (int way = 0; way < test::ways_to_share; ++way)
      expect_the_hosts(test::distributed(A, test::shared_out(A.n, way)), device);
  }
}

/// More pairs than are looked at at once, and rows of up to 27 entries.
TEST(CudaReshape, OfManyVerticesIsTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const comm = test::world();
  for (auto const& whole : {oracle::anisotropic_laplace(400, 300, 1, 1.0, 0.001, 1.0),
                            oracle::laplace(40, 40, 40), oracle::random_spd(20000, 3, 4)}) {
    comm::Distribution const rows(comm, comm.rank() == 0 ? whole.rows : 0);
    bool const changed = expect_the_hosts(test::distribute(whole, rows), device);
    EXPECT_TRUE(comm.any(changed));
  }
}

}  // namespace
}  // namespace Tessera
