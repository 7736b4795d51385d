#include "aggregation/matching.hpp"
#include "aggregation/mis2.hpp"
#include "aggregation/paa.hpp"
#include "aggregation/problems.hpp"
#include "aggregation/reshaping.hpp"
#include "aggregation/strength.hpp"
#include "oracle/generators.hpp"
#include "support/device.hpp"
#include "support/distribute.hpp"

namespace Tessera {
namespace {

using aggregation::StrengthGraph;

/// The graph, in another space.
StrengthGraph<Cuda> there(StrengthGraph<Host> const& graph, Cuda const& device) {
  Host const host;
  return {comm::HaloPlan<Cuda>(device, graph.halo.distribution(), graph.halo.ghosts()),
          core::copied(host, graph.offsets.view(), device),
          core::copied(host, graph.neighbour.view(), device),
          core::copied(host, graph.weight.view(), device),
          core::copied(host, graph.strong.view(), device),
          core::copied(host, graph.leads.view(), device)};
}

template <class T>
std::vector<T> listed(Array<T, Host> const& array) {
  return {array.begin(), array.end()};
}

void expect_same(StrengthGraph<Cuda> const& there, StrengthGraph<Host> const& graph, Cuda const& device) {
  EXPECT_EQ(core::to_vector(device, there.offsets.view()), listed(graph.offsets));
  EXPECT_EQ(core::to_vector(device, there.neighbour.view()), listed(graph.neighbour));
  EXPECT_EQ(core::to_vector(device, there.weight.view()), listed(graph.weight));
  EXPECT_EQ(core::to_vector(device, there.strong.view()), listed(graph.strong));
}

/// Of cuts, row sums and distances in materials.
void expect_the_hosts_strength(comm::DistCsr<double, Host> const& A, Cuda const& device) {
  auto const A_there = comm::copied(Host{}, A, device);
  std::vector<double> position, tensor;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) {
    for (int axis = 0; axis < 2; ++axis) position.push_back(core::uniform(i, axis));
    double const k = 2.0 + core::uniform(i, 2);
    tensor.insert(tensor.end(), {k, 0.5, 0.5, 2.0 * k});
  }
  std::vector<double> const number(tensor.size() / 4, 0.5);
  auto const compare = [&](aggregation::StrengthParameters const& parameters,
                           std::vector<double> const& resistance) {
    auto const x = core::to_space(device, position), r = core::to_space(device, resistance);
    auto const here = aggregation::strength(
        Host{}, A, {{position.data(), position.size()}, 2, {resistance.data(), resistance.size()}},
        parameters);
    expect_same(aggregation::strength(device, A_there, {x.view(), 2, r.view()}, parameters), here, device);
  };
  aggregation::StrengthParameters parameters;
  parameters.row_sum_tolerance = 0.2;
  compare(parameters, {});
  parameters.scheme = aggregation::DropScheme::cut;
  for (double const theta : {0.02, 0.5, 0.9}) {
    parameters.drop_tolerance = theta;
    compare(parameters, {});
  }
  parameters.scheme = aggregation::DropScheme::distance_laplacian;
  parameters.drop_tolerance = 0.05;
  compare(parameters, {});
  parameters.material = true;
  compare(parameters, number);
  compare(parameters, tensor);
}

void expect_the_hosts(comm::DistCsr<double, Host> const& A, Cuda const& device) {
  Host const host;
  auto const graph = test::graph_of(A);
  auto const graph_there = there(graph, device);
  auto const ids = test::ids_of(A.rows);
  auto const ids_there = core::copied(host, ids.view(), device);
  auto const n = static_cast<std::size_t>(graph.nodes());

  std::vector<unsigned char> some(n);
  for (std::size_t i = 0; i < n; ++i)
    some[i] = static_cast<unsigned char>(core::mix64(A.rows.begin() + i) % 3);
  for (int k = 0; k < 2; ++k) {
    auto const candidate = k == 0 ? std::vector<unsigned char>() : some;
    aggregation::AggregationParameters parameters;
    parameters.seed = 3;
    std::vector<Index> existing;
    for (std::size_t v = 0; v < candidate.size(); ++v) {
      if (candidate[v] != 0) existing.push_back(static_cast<Index>(v));
    }
    auto const candidate_there = core::to_space(device, candidate);
    auto const existing_there = core::to_space(device, existing);
    Array<unsigned char, Host> in(host, n);
    Array<unsigned char, Cuda> in_there(device, n);
    aggregation::mis2(host, graph, ids.view(), Span<unsigned char const>(candidate.data(), candidate.size()),
                      {}, parameters, in.span());
    for (auto const among : {Span<Index const>(), existing_there.view()}) {
      auto const run = aggregation::mis2(device, graph_there, ids_there.view(), candidate_there.view(), among,
                                         parameters, in_there.span());
      EXPECT_EQ(core::to_vector(device, in_there.view()), listed(in));
      EXPECT_EQ(run.one_kernel, A.rows.on_one_rank());
    }
  }

  auto const here = aggregation::aggregate(host, graph, ids.view(), {});
  auto const result = aggregation::aggregate(device, graph_there, ids_there.view(), {});
  EXPECT_EQ(core::to_vector(device, result.aggregate.view()), listed(here.aggregate));
  EXPECT_EQ(core::to_vector(device, result.ids.view()), listed(here.ids));

  for (int const largest : {0, 2, 5}) {
    aggregation::AggregationParameters parameters;
    parameters.largest = largest;
    auto const paa = aggregation::paa(host, graph, ids.view(), parameters);
    auto const paa_there = aggregation::paa(device, graph_there, ids_there.view(), parameters);
    EXPECT_EQ(core::to_vector(device, paa_there.aggregate.view()), listed(paa.aggregate));
    EXPECT_EQ(core::to_vector(device, paa_there.ids.view()), listed(paa.ids));
  }

  auto const strength = aggregation::strength(device, comm::copied(host, A, device), {}, {});
  expect_same(strength, graph, device);
  expect_the_hosts_strength(A, device);
}

void expect_the_hosts_pairs(comm::DistCsr<double, Host> const& A, Cuda const& device) {
  Host const host;
  auto const A_there = comm::copied(host, A, device);
  std::vector<double> w;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) w.push_back(1.0 + static_cast<double>(i % 7) / 8);
  auto const w_there = core::to_space(device, w);
  auto const diagonal = aggregation::checked_diagonal(host, A);
  auto const diagonal_there = core::copied(host, diagonal.view(), device);
  auto const ids = test::ids_of(A.rows);
  auto const ids_there = core::copied(host, ids.view(), device);
  auto graph = aggregation::matching_graph(host, A, diagonal.view(), Span<double const>(w.data(), w.size()));
  auto graph_there = aggregation::matching_graph(device, A_there, diagonal_there.view(), w_there.view());
  EXPECT_EQ(core::to_vector(device, graph_there.offsets.view()), listed(graph.offsets));
  EXPECT_EQ(core::to_vector(device, graph_there.neighbour.view()), listed(graph.neighbour));
  EXPECT_EQ(core::to_vector(device, graph_there.weight.view()), listed(graph.weight));
  std::vector<unsigned char> const all(graph.weight.size(), 1);
  auto strong = core::to_space(host, all);
  auto strong_there = core::to_space(device, all);
  aggregation::defer_light_edges(host, graph, aggregation::MatchingRules{}, strong.span());
  aggregation::defer_light_edges(device, graph_there, aggregation::MatchingRules{}, strong_there.span());
  EXPECT_EQ(core::to_vector(device, graph_there.weight.view()), listed(graph.weight));
  EXPECT_EQ(core::to_vector(device, strong_there.view()), listed(strong));
  for (auto const isolated : {aggregation::Isolated::left_out, aggregation::Isolated::kept}) {
    for (float const least : {0.0F, 1.1F}) {
      auto const pairs = aggregation::matched_pairs(host, graph, ids.view(), isolated, least);
      auto const pairs_there =
          aggregation::matched_pairs(device, graph_there, ids_there.view(), isolated, least);
      EXPECT_EQ(core::to_vector(device, pairs_there.aggregate.view()), listed(pairs.aggregate));
      EXPECT_EQ(core::to_vector(device, pairs_there.ids.view()), listed(pairs.ids));
    }
  }
}

TEST(CudaAggregates, AreTheHostsHoweverVerticesAreShared) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const& A : test::many_problems()) {
    for (int way = 0; way < test::ways_to_share; ++way) {
      expect_the_hosts(test::distributed(A, test::shared_out(A.n, way)), device);
      expect_the_hosts_pairs(test::distributed(A, test::shared_out(A.n, way)), device);
    }
  }
}

TEST(CudaAggregates, OfManyVerticesAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const& whole :
       {oracle::laplace(300, 250), oracle::laplace(40, 40, 40), oracle::random_spd(20000, 9, 4)}) {
    auto const A = test::on_the_first_rank(whole);
    expect_the_hosts(A, device);
    expect_the_hosts_pairs(A, device);
  }
}

using aggregation::Aggregates;

/// All steps of both back ends agree. Returns whether they changed anything on this rank.
bool steps_are_the_hosts(comm::DistCsr<double, Host> const& A, Cuda const& device) {
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
      steps_are_the_hosts(test::distributed(A, test::shared_out(A.n, way)), device);
  }
}

/// More pairs than one launch treats, and rows of up to 27 entries.
TEST(CudaReshape, OfManyVerticesIsTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const comm = test::world();
  for (auto const& whole : {oracle::anisotropic_laplace(400, 300, 1, 1.0, 0.001, 1.0),
                            oracle::laplace(40, 40, 40), oracle::random_spd(20000, 3, 4)}) {
    comm::Distribution const rows(comm, comm.rank() == 0 ? whole.rows : 0);
    bool const changed = steps_are_the_hosts(test::distribute(whole, rows), device);
    EXPECT_TRUE(comm.any(changed));
  }
}

}  // namespace
}  // namespace Tessera
