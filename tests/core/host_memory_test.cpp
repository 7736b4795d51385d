#include "core/host_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/array.hpp"

namespace Tessera::core {
namespace {

constexpr std::size_t five_megabytes = std::size_t{5} << 20;

constexpr std::size_t megabyte = std::size_t{1} << 20;

TEST(SpareMemory, RoundsRequestsByTheirSize) {
  EXPECT_EQ(SpareMemory::rounded(1000), 1000u);
  EXPECT_EQ(SpareMemory::rounded(megabyte / 4 - 1), megabyte / 4 - 1);
  EXPECT_EQ(SpareMemory::rounded(megabyte / 4), megabyte / 4);
  EXPECT_EQ(SpareMemory::rounded(megabyte + 1), megabyte + SystemMemory::page);
  EXPECT_EQ(SpareMemory::rounded(4 * megabyte - 1), 4 * megabyte);
  EXPECT_EQ(SpareMemory::rounded(4 * megabyte), 4 * megabyte);
  EXPECT_EQ(SpareMemory::rounded(4 * megabyte + 1), 6 * megabyte);
}

/// A mapping, which the test releases.
char* block_of(std::size_t bytes) {
  return static_cast<char*>(SystemMemory::take(SpareMemory::rounded(bytes), bytes));
}

TEST(SpareMemory, CutsBlocksToTheSizeOfRequests) {
  if (!SystemMemory::divisible) GTEST_SKIP() << "large blocks cannot be cut";
  SpareMemory spares;
  EXPECT_EQ(spares.take(five_megabytes), nullptr);
  auto* const block = block_of(16 * megabyte);
  spares.keep(block, 16 * megabyte);
  EXPECT_EQ(spares.bytes(), 16 * megabyte);
  EXPECT_EQ(spares.take(17 * megabyte), nullptr);
  EXPECT_EQ(spares.take(five_megabytes), block);
  EXPECT_EQ(spares.take(4 * megabyte), block + 6 * megabyte);
  EXPECT_EQ(spares.bytes(), 6 * megabyte);
  EXPECT_EQ(spares.take(7 * megabyte), nullptr);
  block[0] = block[10 * megabyte - 1] = 1;
  SystemMemory::give_back_pages(block, 10 * megabyte);
}

TEST(SpareMemory, JoinsNeighboursInAnyOrder) {
  if (!SystemMemory::divisible) GTEST_SKIP() << "large blocks cannot be cut";
  auto* const block = block_of(18 * megabyte);
  SpareMemory spares;
  spares.keep(block + 12 * megabyte, 6 * megabyte);
  spares.keep(block, 6 * megabyte);
  EXPECT_EQ(spares.take(7 * megabyte), nullptr);
  spares.keep(block + 6 * megabyte, 6 * megabyte);
  EXPECT_EQ(spares.take(18 * megabyte), block);
  EXPECT_EQ(spares.bytes(), 0u);
  spares.keep(block, 18 * megabyte);
}

TEST(SpareMemory, TakesTheSmallestBlockThatFitsAndReleasesTheSmallest) {
  if (!SystemMemory::divisible) GTEST_SKIP() << "large blocks cannot be cut";
  auto* const block = block_of(30 * megabyte);
  SpareMemory spares;
  spares.keep(block, 12 * megabyte);
  spares.keep(block + 14 * megabyte, 8 * megabyte);
  spares.keep(block + 24 * megabyte, 4 * megabyte);
  EXPECT_EQ(spares.take(7 * megabyte), block + 14 * megabyte);
  spares.give_back(3 * megabyte);
  EXPECT_EQ(spares.bytes(), 12 * megabyte);
  EXPECT_EQ(spares.take(12 * megabyte), block);
  spares.give_back(100 * megabyte);
  EXPECT_EQ(spares.bytes(), 0u);
  for (auto begin : {0, 12, 14, 22, 28})
    SystemMemory::give_back_pages(block + begin * megabyte, 2 * megabyte);
  SystemMemory::give_back_pages(block + 2 * megabyte, 12 * megabyte);
  SystemMemory::give_back_pages(block + 14 * megabyte, 8 * megabyte);
}

TEST(SystemMemory, ReturnsAlignedBlocksOfTheRequestedSize) {
  for (std::size_t const bytes :
       {std::size_t{1}, std::size_t{100}, five_megabytes / 5, five_megabytes, 3 * five_megabytes + 1}) {
    auto* const block = static_cast<unsigned char*>(SystemMemory::take(bytes, bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u);
    for (std::size_t i = 0; i < bytes; ++i) block[i] = static_cast<unsigned char>(i % 251);
    for (std::size_t i = 0; i < bytes; i += 997) EXPECT_EQ(block[i], i % 251);
    SystemMemory::give_back(block, bytes);
  }
  EXPECT_EQ(SystemMemory::take(std::size_t{1} << 62, 1), nullptr);
}

TEST(SpareMemory, ArraysOfASetupShareHugePages) {
  if (!SystemMemory::divisible) GTEST_SKIP() << "large blocks cannot be cut";
  MemoryReuse<Host> const reuse(Host{});
  Array<char, Host> const one(Host{}, megabyte / 2);
  auto const allocations = memory_use(Host{}).allocations;
  Array<char, Host> const other(Host{}, megabyte);
  EXPECT_EQ(other.data(), one.data() + megabyte / 2);
  EXPECT_EQ(memory_use(Host{}).allocations, allocations);
}

TEST(SpareMemory, ArraysAreCountedOnlyDuringTheirUse) {
  auto const before = memory_use(Host{}).in_use;
  MemoryReuse<Host> const reuse(Host{});
  {
    Array<double, Host> array(Host{}, five_megabytes / sizeof(double));
    EXPECT_EQ(memory_use(Host{}).in_use, before + array.bytes());
  }
  EXPECT_EQ(memory_use(Host{}).in_use, before);
  Array<double, Host> again(Host{}, five_megabytes / sizeof(double));
  again[0] = again[five_megabytes / sizeof(double) - 1] = 1.0;
  { MemoryReuse<Host> const inner(Host{}); }
  EXPECT_EQ(again[five_megabytes / sizeof(double) - 1], 1.0);
}

}  // namespace
}  // namespace Tessera::core
