#include "core/spare_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/array.hpp"
#include "core/system_memory.hpp"

namespace Tessera::core {
namespace {

constexpr std::size_t five_megabytes = std::size_t{5} << 20;

TEST(SpareMemory, RoundsToEightSizesAPowerOfTwoAndLeavesSmallOnesAlone) {
  EXPECT_EQ(SpareMemory::rounded(1000), 1000u);
  EXPECT_EQ(SpareMemory::rounded(std::size_t{4} << 20), std::size_t{4} << 20);
  EXPECT_EQ(SpareMemory::rounded((std::size_t{4} << 20) + 1),
            (std::size_t{4} << 20) + (std::size_t{1} << 19));
  for (std::size_t bytes = std::size_t{4} << 20; bytes < std::size_t{64} << 20; bytes += 777777) {
    EXPECT_GE(SpareMemory::rounded(bytes), bytes);
    EXPECT_LE(SpareMemory::rounded(bytes), bytes + bytes / 8);
  }
}

TEST(SpareMemory, GivesABlockToTheNextRequestOfItsSizeAndToNoOther) {
  SpareMemory spares;
  void* const block = SystemMemory::take(SpareMemory::rounded(five_megabytes), five_megabytes);
  spares.keep(block, five_megabytes);
  EXPECT_EQ(spares.bytes(), SpareMemory::rounded(five_megabytes));
  EXPECT_EQ(spares.take(2 * five_megabytes), nullptr);
  EXPECT_EQ(spares.take(five_megabytes - 1), block);  // rounds to the same size
  EXPECT_EQ(spares.bytes(), 0u);
  EXPECT_EQ(spares.take(five_megabytes), nullptr);
  spares.keep(block, five_megabytes);
  spares.drop();
  EXPECT_EQ(spares.bytes(), 0u);
  EXPECT_EQ(spares.take(five_megabytes), nullptr);
}

TEST(SystemMemory, GivesAlignedBlocksThatHoldWhatWasAskedFor) {
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

TEST(SpareMemory, ArraysAreCountedWhileTheyAreInUseOnly) {
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
