// Exchanges between GPUs, compared bitwise with exchanges between hosts.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "cases.hpp"
#include "comm/communicator.hpp"
#include "comm/ghost_rows.hpp"
#include "comm/redistribute.hpp"
#include "comm/transport/peer_exchange.hpp"
#include "comm/transport/peers.hpp"
#include "core/memory.hpp"
#include "support/device.hpp"

namespace Tessera {
namespace {

using comm::Distribution;
using test::Share;

std::vector<GlobalIndex> off_rank_rows(Distribution const& d, GlobalIndex step) {
  std::vector<GlobalIndex> ghosts;
  for (GlobalIndex i = 0; i < d.global_size(); i += step) {
    if (!d.owns(i)) ghosts.push_back(i);
  }
  return ghosts;
}

template <class T>
std::vector<T> numbers(std::size_t count, int seed) {
  std::vector<T> result(count);
  for (std::size_t k = 0; k < count; ++k) result[k] = static_cast<T>(core::mix64(k * 64 + seed) % 251);
  return result;
}

template <class T>
void expect_the_hosts_ghosts(Cuda const& device, comm::HaloPlan<Host> const& on_host,
                             comm::HaloPlan<Cuda> const& on_device, int width, int seed) {
  auto const& d = on_host.distribution();
  auto const owned = numbers<T>(d.local_size() * std::size_t(width), seed + d.comm().rank());
  std::vector<T> expected(on_host.ghost_count() * std::size_t(width));
  on_host.exchange(Host{}, test::view(owned), test::span(expected), width);
  auto const source = core::to_space(device, owned);
  Array<T, Cuda> ghosts(device, expected.size());
  on_device.exchange(device, source.view(), ghosts.span(), width);
  EXPECT_EQ(core::to_vector(device, ghosts.view()), expected) << "width " << width;
}

TEST(CudaHaloPlan, GhostsAreTheHostsInEveryMode) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const overlap : test::all_overlaps) {
    auto const comm = test::world(overlap);
    for (auto const share : test::all_shares) {
      auto const d = test::share_rows(comm, share, 700);
      auto const wanted = off_rank_rows(d, 3);
      comm::HaloPlan<Host> const on_host({}, d, wanted);
      comm::HaloPlan<Cuda> const on_device(device, d, wanted);
      for (int const width : {1, 3}) {
        expect_the_hosts_ghosts<double>(device, on_host, on_device, width, 1);
        expect_the_hosts_ghosts<float>(device, on_host, on_device, width, 2);
        expect_the_hosts_ghosts<std::uint64_t>(device, on_host, on_device, width, 3);
        expect_the_hosts_ghosts<unsigned char>(device, on_host, on_device, width, 4);
      }
    }
    EXPECT_EQ(comm.peers() != nullptr, comm.size() > 1 && comm.overlap() == comm::Overlap::automatic);
  }
}

TEST(CudaHaloPlan, MessagesLongerThanASlotArrive) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  Distribution const d(test::world(), 200000);
  auto const wanted = off_rank_rows(d, 1);
  comm::HaloPlan<Host> const on_host({}, d, wanted);
  comm::HaloPlan<Cuda> const on_device(device, d, wanted);
  ASSERT_GT(sizeof(double) * 6 * 200000, comm::PeerBuffers::slot_bytes);
  for (int const width : {1, 6, 1}) expect_the_hosts_ghosts<double>(device, on_host, on_device, width, 5);
}

TEST(CudaHaloPlan, ManyExchangesInARowKeepTheirOrder) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const comm = test::world();
  Distribution const d(comm, 300);
  comm::HaloPlan<Cuda> const some(device, d, off_rank_rows(d, 1)), few(device, d, off_rank_rows(d, 50));
  constexpr int times = 20;
  std::vector<Array<Index, Cuda>> results;
  for (int k = 0; k < times; ++k) {
    auto const& plan = k % 3 == 0 ? few : some;
    auto const owned = core::to_space(device, std::vector<Index>(300, 1000 * k + comm.rank()));
    results.emplace_back(device, plan.ghost_count());
    plan.exchange(device, owned.view(), results.back().span());
  }
  for (int k = 0; k < times; ++k) {
    auto const& plan = k % 3 == 0 ? few : some;
    std::vector<Index> expected;
    for (auto const i : plan.ghosts()) expected.push_back(1000 * k + d.owner(i));
    EXPECT_EQ(core::to_vector(device, results[k].view()), expected) << k;
  }
}

TEST(CudaHaloPlan, SumsOfGhostsAreTheHostsInEveryMode) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const overlap : test::all_overlaps) {
    auto const comm = test::world(overlap);
    for (auto const share : test::all_shares) {
      auto const d = test::share_rows(comm, share, 500);
      auto const wanted = off_rank_rows(d, 2);
      comm::HaloPlan<Host> const on_host({}, d, wanted);
      comm::HaloPlan<Cuda> const on_device(device, d, wanted);
      auto owned = test::random_vector(d.local_size(), 8);
      auto const ghosts = test::random_vector(on_host.ghost_count(), 9 + d.comm().rank());
      auto sums = core::to_space(device, owned);
      on_host.add_from_ghosts(Host{}, test::view(ghosts), test::span(owned));
      on_device.add_from_ghosts(device, core::to_space(device, ghosts).view(), sums.span());
      EXPECT_EQ(core::to_vector(device, sums.view()), owned);
    }
  }
}

TEST(CudaHaloPlan, RecordedExchangesOfWideRowsAreTheHostsEachTime) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  constexpr int width = 6;
  Distribution const d(test::world(), 500);
  auto const wanted = off_rank_rows(d, 2);
  comm::HaloPlan<Host> const on_host({}, d, wanted);
  comm::HaloPlan<Cuda> const on_device(device, d, wanted);
  on_device.reserve(device, width * sizeof(double));
  bool const recordable = on_device.recordable(device, width * sizeof(double));
  if (test::world().any(!recordable)) GTEST_SKIP() << "messages go through the host";

  auto expected = test::random_vector(width * d.local_size(), 8);
  auto sums = core::to_space(device, expected);
  auto const ghosts = test::random_vector(width * on_host.ghost_count(), 9 + d.comm().rank());
  auto const theirs = core::to_space(device, ghosts);
  Array<double, Cuda> copies(device, ghosts.size());
  core::Graph<Cuda> graph;
  comm::capture(graph, device, d.comm(), [&] {
    on_device.add_from_ghosts(device, theirs.view(), sums.span(), width);
    on_device.exchange(device, Span<double const>(sums.view()), copies.span(), width);
  });
  std::vector<double> expected_copies(ghosts.size());
  for (int run = 0; run < 3; ++run) {
    graph.launch(device);
    on_host.add_from_ghosts(Host{}, test::view(ghosts), test::span(expected), width);
    on_host.exchange(Host{}, test::view(expected), test::span(expected_copies), width);
    EXPECT_EQ(core::to_vector(device, sums.view()), expected) << run;
    EXPECT_EQ(core::to_vector(device, copies.view()), expected_copies) << run;
  }
}

TEST(CudaRedistribution, MessagesInOneDirectionOnlyAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const share : test::all_shares) {
    auto const d = test::share_rows(test::world(), share, 90);
    comm::HaloPlan<Cuda> const introduces(device, d, {});
    for (int const group : {1, 2, 4}) {
      comm::Redistribution<Host> const on_host({}, d, group);
      comm::Redistribution<Cuda> const on_device(device, d, group);
      auto const there = on_host.to().local_size();
      for (int k = 0; k < 5; ++k) {  // more messages than slots, without a message back
        auto const owned = test::random_vector(d.local_size(), 10 * k + d.comm().rank());
        std::vector<double> expected(there);
        on_host.forward(Host{}, test::view(owned), test::span(expected));
        auto const source = core::to_space(device, owned);
        Array<double, Cuda> moved(device, there);
        on_device.forward(device, source.view(), moved.span());
        EXPECT_EQ(core::to_vector(device, moved.view()), expected);
      }
      auto const source = test::random_vector(there, 77 + d.comm().rank());
      std::vector<double> expected(d.local_size());
      on_host.backward(Host{}, test::view(source), test::span(expected));
      Array<double, Cuda> moved(device, expected.size());
      on_device.backward(device, core::to_space(device, source).view(), moved.span());
      EXPECT_EQ(core::to_vector(device, moved.view()), expected);
    }
  }
}

TEST(CudaGhostRows, RowsOfOtherRanksAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const A = test::long_matrix(test::world());
  auto const on_device = comm::copied(Host{}, A, device);
  auto const expected = comm::extend_rows(Host{}, A, A.halo);
  auto const extended = comm::extend_rows(device, on_device, on_device.halo);
  EXPECT_EQ(extended.columns.ghosts(), expected.columns.ghosts());
  EXPECT_EQ(core::to_vector(device, extended.local.offsets.view()),
            core::to_vector(Host{}, expected.local.offsets.view()));
  EXPECT_EQ(core::to_vector(device, extended.local.column.view()),
            core::to_vector(Host{}, expected.local.column.view()));
  EXPECT_EQ(core::to_vector(device, extended.local.value.view()),
            core::to_vector(Host{}, expected.local.value.view()));
}

TEST(Peers, AreTheSameFromBothSidesAndForEveryCommunicator) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const comm = test::world();
  comm::connect_peers(device, comm);
  if (comm.size() == 1) {
    EXPECT_EQ(comm.peers(), nullptr);
    return;
  }
  auto const held = core::memory_use(device).in_use;
  EXPECT_GE(held, comm.peers()->count() * comm::PeerBuffers::slots * comm::PeerBuffers::slot_bytes);
  auto const again = test::world();
  comm::connect_peers(device, again);
  EXPECT_EQ(core::memory_use(device).in_use, held);
  comm::PackedBuffers words;
  for (int r = 0; r < comm.size(); ++r) {
    EXPECT_EQ(comm.peers()->link(r), again.peers()->link(r));
    words[r] = {static_cast<char>(comm.peers()->link(r) != nullptr)};
  }
  EXPECT_EQ(comm.peers()->link(comm.rank()), nullptr);
  if (comm.rank() == 0) {
    std::cout << "rank 0 is linked with " << comm.peers()->count() << " ranks of " << comm.size() - 1 << ' '
              << comm.peers()->failure() << '\n';
  }
  auto const theirs = comm.exchange(words);
  for (auto const& [rank, word] : theirs) EXPECT_EQ(word, words[rank]) << rank;
  char const* const setting = std::getenv("TESSERA_PEER_GPUS");
  if (setting != nullptr && setting[0] == '0') {
    EXPECT_EQ(comm.peers()->count(), 0);
  }
}

}  // namespace
}  // namespace Tessera
