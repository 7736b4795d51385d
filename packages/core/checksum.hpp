#pragma once
/// \file
/// Checksums of bytes, for files and for memory.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/hash.hpp"

namespace Tessera::core {

/// A 64-bit checksum of a stream of bytes, however it is cut into pieces. Four lanes take a word each in
/// turn; each step is a bijection of the lane for a given word and of the word for a given lane, and so is
/// the end, so that a change within one word always shows. Not cryptographic.
class Checksum {
 public:
  void add(void const* memory, std::size_t bytes) {
    auto const* from = static_cast<unsigned char const*>(memory);
    total_ += bytes;
    if (waiting_ > 0) {
      auto const part = bytes < block - waiting_ ? bytes : block - waiting_;
      std::memcpy(buffer_ + waiting_, from, part);
      waiting_ += part;
      from += part;
      bytes -= part;
      if (waiting_ < block) return;
      take(buffer_);
      waiting_ = 0;
    }
    for (; bytes >= block; from += block, bytes -= block) take(from);
    if (bytes > 0) std::memcpy(buffer_, from, bytes);
    waiting_ = bytes;
  }

  std::uint64_t value() const {
    Checksum last = *this;
    std::memset(last.buffer_ + waiting_, 0, block - waiting_);
    last.take(last.buffer_);
    std::uint64_t hash = mix64(total_);
    for (auto const lane : last.lane_) hash = mix64(hash ^ lane) + odd;
    return hash;
  }

 private:
  static constexpr std::size_t block = 32;
  static constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;

  void take(unsigned char const* from) {
    std::uint64_t word[4];
    std::memcpy(word, from, block);
    for (int l = 0; l < 4; ++l) {
      auto const x = (lane_[l] ^ word[l]) * odd;
      lane_[l] = (x << 29) | (x >> 35);
    }
  }

  std::uint64_t lane_[4] = {1, 2, 3, 4};
  std::uint64_t total_ = 0;
  unsigned char buffer_[block] = {};
  std::size_t waiting_ = 0;
};

}  // namespace Tessera::core
