// Archives and checksums.
#include "core/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/hash.hpp"

namespace Tessera::core {
namespace {

struct Bytes {
  std::vector<char> all;
  std::size_t at = 0;

  Archive writer() {
    return Archive::saving([this](void const* memory, std::size_t bytes) {
      auto const* from = static_cast<char const*>(memory);
      all.insert(all.end(), from, from + bytes);
    });
  }
  Archive reader() {
    at = 0;
    return Archive::loading(
        [this](void* memory, std::size_t bytes) {
          std::memcpy(memory, all.data() + at, bytes);
          at += bytes;
        },
        all.size());
  }
};

struct Thing {
  int number = 0;
  bool yes = false;
  double real = 0;
  std::string text;
  std::vector<std::string> texts;
  std::vector<double> numbers;
  Array<float, Host> array;

  void archive(Archive& file) {
    auto& [a, b, c, d, e, f, g] = *this;
    file(a, b, c, d, e, f);
    file.array(Host{}, g, [&](Span<float const> all) { require_finite(file, all, "numbers"); });
  }
};

Thing some_thing() {
  return {-3, true, 0.1, "text", {"", "two"}, {1.5, -2}, to_space(Host{}, std::vector<float>{1, 2, 3})};
}

TEST(Archive, LoadsSavedMembers) {
  Bytes bytes;
  auto saved = some_thing();
  auto writer = bytes.writer();
  saved.archive(writer);
  Thing loaded;
  auto reader = bytes.reader();
  loaded.archive(reader);
  EXPECT_EQ(reader.bytes_left(), 0u);
  EXPECT_EQ(loaded.number, -3);
  EXPECT_TRUE(loaded.yes);
  EXPECT_EQ(loaded.real, 0.1);
  EXPECT_EQ(loaded.text, "text");
  EXPECT_EQ(loaded.texts, saved.texts);
  EXPECT_EQ(loaded.numbers, saved.numbers);
  EXPECT_EQ(to_vector(Host{}, loaded.array.view()), (std::vector<float>{1, 2, 3}));
}

TEST(Archive, RefusesTruncatedFiles) {
  Bytes bytes;
  auto saved = some_thing();
  auto writer = bytes.writer();
  saved.archive(writer);
  while (!bytes.all.empty()) {
    bytes.all.pop_back();
    Thing loaded;
    auto reader = bytes.reader();
    EXPECT_THROW(loaded.archive(reader), InvalidInput) << bytes.all.size();
  }
}

TEST(Archive, SizesBeyondTheFileAllocateNothing) {
  Bytes bytes;
  auto writer = bytes.writer();
  std::uint64_t huge = std::uint64_t{1} << 60;
  writer(huge);
  Array<double, Host> array;
  auto reader = bytes.reader();
  EXPECT_THROW(reader.array(Host{}, array, [](Span<double const>) {}), InvalidInput);
  std::vector<std::string> texts;
  auto again = bytes.reader();
  EXPECT_THROW(again(texts), InvalidInput);
}

/// Message of a failed check of these numbers; empty if it holds.
template <class T, class Require>
std::string refusal(std::vector<T> const& numbers, Require const& require) {
  auto file = Archive::loading([](void*, std::size_t) {}, 0, "a file");
  file.part("a part");
  try {
    require(file, Span<T const>(numbers.data(), numbers.size()));
  } catch (InvalidInput const& error) {
    return error.what();
  }
  return "";
}

TEST(Archive, NamesThePartOfAFailedCheck) {
  auto const offsets = [](auto const& file, auto all) { require_offsets(file, all, 2, "offsets"); };
  EXPECT_EQ(refusal<int>({0, 1, 1}, offsets), "");
  EXPECT_NE(refusal<int>({0, 2, 1}, offsets).find("a file: a part: offsets do not ascend: 1 follows 2"),
            std::string::npos);
  EXPECT_NE(refusal<int>({1, 2, 3}, offsets).find("the first is 1"), std::string::npos);
  EXPECT_NE(refusal<int>({0, 1}, offsets).find("there are 2 offsets where there should be 3"),
            std::string::npos);
  auto const between = [](auto const& file, auto all) { require_between(file, all, -1, 4, "columns"); };
  EXPECT_EQ(refusal<int>({-1, 4}, between), "");
  EXPECT_NE(refusal<int>({0, 5}, between).find("columns: number 1 is 5, not from -1 to 4"),
            std::string::npos);
  auto const finite = [](auto const& file, auto all) { require_finite(file, all, "entries"); };
  EXPECT_EQ(refusal<double>({1, -2}, finite), "");
  EXPECT_NE(refusal<double>({1, std::nan("")}, finite).find("entries: number 1 is"), std::string::npos);
}

TEST(Archive, RefusesOtherTruthValuesThanZeroAndOne) {
  Bytes bytes;
  auto writer = bytes.writer();
  bool yes = true;
  writer(yes);
  bytes.all[0] = 2;
  auto reader = bytes.reader();
  EXPECT_THROW(reader(yes), InvalidInput);
}

std::vector<unsigned char> some_bytes(std::size_t count) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(mix64(i));
  return bytes;
}

std::uint64_t checksum(std::vector<unsigned char> const& bytes, std::size_t piece) {
  Checksum sum;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    sum.add(bytes.data() + at, std::min(piece, bytes.size() - at));
  return sum.value();
}

TEST(Checksum, DoesNotDependOnThePieces) {
  auto const bytes = some_bytes(1000);
  auto const whole = checksum(bytes, 1000);
  for (std::size_t const piece : {1, 3, 8, 31, 32, 33, 64, 500}) EXPECT_EQ(checksum(bytes, piece), whole);
}

TEST(Checksum, ChangesWithEachBit) {
  auto bytes = some_bytes(200);
  auto const before = checksum(bytes, 200);
  for (auto& byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      byte ^= static_cast<unsigned char>(1 << bit);
      EXPECT_NE(checksum(bytes, 200), before);
      byte ^= static_cast<unsigned char>(1 << bit);
    }
  }
}

TEST(Checksum, ChangesWithTwoFlipsOfTheSameBitAndWithZerosAtTheEnd) {
  auto bytes = some_bytes(256);
  auto const before = checksum(bytes, 256);
  for (std::size_t first = 7; first + 32 < 256; first += 8) {
    for (std::size_t second = first + 8; second < 256; second += 8) {
      bytes[first] ^= 0x80;
      bytes[second] ^= 0x80;
      EXPECT_NE(checksum(bytes, 256), before) << first << " and " << second;
      bytes[first] ^= 0x80;
      bytes[second] ^= 0x80;
    }
  }
  std::vector<unsigned char> zeros(64, 0);
  EXPECT_NE(checksum({zeros.begin(), zeros.begin() + 33}, 64), checksum(zeros, 64));
}

}  // namespace
}  // namespace Tessera::core
