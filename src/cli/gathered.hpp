#pragma once
/// \file
/// Numbers of all ranks on one.
#include <cstring>
#include <type_traits>
#include <vector>

#include "comm/communicator.hpp"

namespace Tessera::cli {

/// Everybody's numbers in rank order on rank 0; empty elsewhere. Collective.
template <class T>
std::vector<T> gathered(comm::Communicator const& ranks, std::vector<T> const& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  comm::PackedBuffers packed;
  auto const* const bytes = reinterpret_cast<char const*>(mine.data());
  packed[0].assign(bytes, bytes + mine.size() * sizeof(T));
  std::vector<T> all;
  for (auto const& [rank, buffer] : ranks.exchange(packed)) {
    auto const before = all.size();
    all.resize(before + buffer.size() / sizeof(T));
    if (!buffer.empty()) std::memcpy(all.data() + before, buffer.data(), buffer.size());
  }
  return all;
}

}  // namespace Tessera::cli
