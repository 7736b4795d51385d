#include "core/array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/error.hpp"

namespace Tessera::core {
namespace {

static_assert(!std::is_copy_constructible_v<Array<double, Host>>);
static_assert(std::is_nothrow_move_constructible_v<Array<double, Host>>);
static_assert(std::is_convertible_v<Span<double>, Span<double const>>);
static_assert(!std::is_convertible_v<Span<double const>, Span<double>>);

TEST(Array, MoveTransfersTheMemory) {
  Array<int, Host> a(Host{}, 3);
  a[0] = 5;
  auto const* const memory = a.data();
  Array<int, Host> b(std::move(a));
  EXPECT_EQ(b.data(), memory);
  EXPECT_EQ(b[0], 5);
  EXPECT_EQ(a.size(), 0u);
  EXPECT_EQ(a.data(), nullptr);
}

TEST(Array, MoveAssignmentExchanges) {
  Array<int, Host> a(Host{}, 3), b(Host{}, 7);
  auto const *const first = a.data(), *const second = b.data();
  b = std::move(a);
  EXPECT_EQ(b.data(), first);
  EXPECT_EQ(b.size(), 3u);
  EXPECT_EQ(a.data(), second);
  EXPECT_EQ(a.size(), 7u);
}

TEST(Array, MovingOntoItselfKeepsTheElements) {
  Array<int, Host> a(Host{}, 2);
  a[1] = 9;
  auto& same = a;
  a = std::move(same);
  EXPECT_EQ(a.size(), 2u);
  EXPECT_EQ(a[1], 9);
}

TEST(Array, ShortenedKeepsItsFirstElementsAndItsMemory) {
  auto const in_use = core::memory_use(Host{}).in_use;
  {
    Array<int, Host> a(Host{}, 5);
    a[1] = 9;
    a.shorten(2);
    auto b = std::move(a);
    EXPECT_EQ(b.size(), 2u);
    EXPECT_EQ(b.view().size(), 2u);
    EXPECT_EQ(b[1], 9);
    EXPECT_EQ(b.bytes(), 5 * sizeof(int));
    EXPECT_EQ(core::memory_use(Host{}).in_use, in_use + 5 * sizeof(int));
  }
  EXPECT_EQ(core::memory_use(Host{}).in_use, in_use);
}

TEST(Array, BorrowedMemoryStaysTheLenders) {
  std::vector<int> const lender{3, 1, 4};
  auto const in_use = core::memory_use(Host{}).in_use;
  {
    auto const a = Array<int, Host>::borrowed(Host{}, {lender.data(), lender.size()});
    EXPECT_EQ(a.data(), lender.data());
    EXPECT_EQ(a[2], 4);
    EXPECT_TRUE(a.is_borrowed());
    EXPECT_EQ(a.bytes(), 0u);
    EXPECT_EQ(core::memory_use(Host{}).in_use, in_use);
  }
  EXPECT_EQ(core::memory_use(Host{}).in_use, in_use);
  EXPECT_EQ(lender[0], 3);
}

TEST(Array, MovesCarryWhetherMemoryIsBorrowed) {
  std::vector<int> const lender(5, 7);
  auto const in_use = core::memory_use(Host{}).in_use;
  auto a = Array<int, Host>::borrowed(Host{}, {lender.data(), lender.size()});
  Array<int, Host> own(Host{}, 100);
  own = std::move(a);
  EXPECT_TRUE(own.is_borrowed());
  EXPECT_FALSE(a.is_borrowed());
  a = {};
  auto const b = std::move(own);
  EXPECT_TRUE(b.is_borrowed());
  EXPECT_FALSE(own.is_borrowed());
  EXPECT_EQ(core::memory_use(Host{}).in_use, in_use);
}

TEST(Array, WithoutElementsHasNoMemory) {
  Array<double, Host> a(Host{}, 0), b;
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_TRUE(a.empty());
  EXPECT_TRUE(b.empty());
  EXPECT_TRUE(to_vector(Host{}, a.view()).empty());
}

TEST(Array, IsAlignedToCacheLines) {
  for (std::size_t n : {1, 3, 100, 12345}) {
    Array<char, Host> a(Host{}, n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
  }
}

TEST(Array, CopiesGoThroughVectorsUnchanged) {
  std::vector<float> const values{1.5f, -2, 3};
  auto const a = to_space(Host{}, values);
  auto const b = copied(Host{}, a.view(), Host{});
  EXPECT_NE(a.data(), b.data());
  EXPECT_EQ(to_vector(Host{}, b.view()), values);
}

TEST(Memory, InUseAndPeakFollowAllocations) {
  auto const before = memory_use(Host{}).in_use;
  reset_peak(Host{});
  {
    Array<double, Host> a(Host{}, 1000);
    EXPECT_EQ(memory_use(Host{}).in_use, before + 8000);
    { Array<char, Host> b(Host{}, 500); }
    EXPECT_EQ(memory_use(Host{}).in_use, before + 8000);
    Array<double, Host> moved(std::move(a));
    EXPECT_EQ(memory_use(Host{}).in_use, before + 8000);
  }
  EXPECT_EQ(memory_use(Host{}).in_use, before);
  EXPECT_EQ(memory_use(Host{}).peak, before + 8500);
  reset_peak(Host{});
  EXPECT_EQ(memory_use(Host{}).peak, before);
}

TEST(OutOfMemory, NamesTheBytesAndLeavesTheProcessUsable) {
  auto const before = memory_use(Host{}).in_use;
  Array<double, Host> kept(Host{}, 10);
  kept[9] = 4;
  for (auto count : {std::size_t{1} << 58, std::numeric_limits<std::size_t>::max() / sizeof(double)}) {
    try {
      Array<double, Host> impossible(Host{}, count);
      FAIL() << "no exception for " << count;
    } catch (OutOfMemory const& error) {
      EXPECT_EQ(error.bytes(), count * sizeof(double));
      EXPECT_EQ(error.in_use(), before + 80);
      EXPECT_NE(std::string(error.what()).find(std::to_string(count * sizeof(double))), std::string::npos);
    }
  }
  EXPECT_EQ(memory_use(Host{}).in_use, before + 80);
  EXPECT_EQ(kept[9], 4);
}

TEST(OutOfMemory, OfMoreElementsThanBytesCanCountIsNoSmallAllocation) {
  // 2^61 + 1 doubles are 8 bytes modulo 2^64.
  EXPECT_THROW((Array<double, Host>(Host{}, (std::size_t{1} << 61) + 1)), OutOfMemory);
}

TEST(OutOfMemory, CanNameItsContext) {
  OutOfMemory const cause("host", 100, 50, 70);
  OutOfMemory const error("level 2, triple product", cause);
  EXPECT_EQ(std::string(error.what()), "level 2, triple product: " + std::string(cause.what()));
  EXPECT_EQ(error.bytes(), 100u);
  EXPECT_EQ(error.in_use(), 50u);
  EXPECT_EQ(error.peak(), 70u);
}

}  // namespace
}  // namespace Tessera::core
