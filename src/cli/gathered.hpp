#pragma once
/// \file
/// Numbers of all ranks on rank 0.
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "cli/page.hpp"
#include "comm/communicator.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::cli {

/// The numbers of all ranks in rank order on rank 0; empty on the other ranks. Collective.
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

/// The points of all ranks in rank order on rank 0; none on the other ranks. Collective.
inline Points points_of(comm::Communicator const& ranks, tpetra::MultiVector const& coordinates) {
  Points points;
  points.dimension = static_cast<int>(std::min<std::size_t>(3, coordinates.getNumVectors()));
  std::vector<double> mine;
  {
    tpetra::ReadColumns const columns(coordinates);
    for (std::size_t v = 0; v < coordinates.getLocalLength(); ++v)
      for (int axis = 0; axis < points.dimension; ++axis) mine.push_back(columns[axis][v]);
  }
  points.coordinates = gathered(ranks, mine);
  return points;
}

}  // namespace Tessera::cli
