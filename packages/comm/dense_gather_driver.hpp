#pragma once
/// \file
/// See dense_gather.hpp.
#include <algorithm>
#include <cstring>

#include "comm/dense_gather.hpp"

namespace Tessera::comm {

template <class Space>
std::vector<double> gather_dense(Space const& space, DistCsr<double, Space> const& A, int root) {
  struct Entry {
    GlobalIndex row, column;
    double value;
  };
  auto const offsets = core::to_vector(space, A.local.offsets.view());
  auto const column = core::to_vector(space, A.local.column.view());
  auto const value = core::to_vector(space, A.local.value.view());
  auto const global = global_columns(A.halo);
  std::vector<char> letter(column.size() * sizeof(Entry));
  for (Index i = 0; i < A.local.rows; ++i) {
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) {
      Entry const entry{A.rows.begin() + i, global[column[k]], value[k]};
      std::memcpy(letter.data() + k * sizeof(Entry), &entry, sizeof(Entry));
    }
  }
  auto const letters = A.rows.comm().exchange({{root, std::move(letter)}});
  if (A.rows.comm().rank() != root) return {};

  auto const n = A.rows.global_size();
  std::vector<double> dense(n * n, 0.0);
  for (auto const& [rank, text] : letters) {
    for (std::size_t at = 0; at < text.size(); at += sizeof(Entry)) {
      Entry entry;
      std::memcpy(&entry, text.data() + at, sizeof(Entry));
      dense[entry.row + entry.column * n] += entry.value;
    }
  }
  return dense;
}

template <class T, class Space>
VectorGather<T, Space>::VectorGather(Space const&, Distribution const& distribution, int root)
    : distribution_(distribution), root_(root) {
  for (int r = 0; r < distribution.comm().size(); ++r) {
    counts_.push_back(static_cast<int>((distribution.begin(r + 1) - distribution.begin(r)) * sizeof(T)));
    starts_.push_back(static_cast<int>(distribution.begin(r) * sizeof(T)));
  }
  staging_.reserve(distribution.local_size() * sizeof(T));
}

template <class T, class Space>
void VectorGather<T, Space>::gather(Space const& space, Span<T const> owned, Span<T> whole) {
  auto const& comm = distribution_.comm();
  auto const bytes = distribution_.local_size() * sizeof(T);
  if (comm.size() == 1) return core::copy_bytes(space, owned.data(), Host{}, whole.data(), bytes);
  auto const* const mine = staging_.to_send(space, reinterpret_cast<char const*>(owned.data()), bytes);
  MPI_Gatherv(mine, static_cast<int>(bytes), MPI_BYTE, whole.data(), counts_.data(), starts_.data(), MPI_BYTE,
              root_, comm.raw());
}

template <class T, class Space>
void VectorGather<T, Space>::scatter(Space const& space, Span<T const> whole, Span<T> owned) {
  auto const& comm = distribution_.comm();
  auto const bytes = distribution_.local_size() * sizeof(T);
  if (comm.size() == 1) return core::copy_bytes(Host{}, whole.data(), space, owned.data(), bytes);
  auto* const data = reinterpret_cast<char*>(owned.data());
  auto* const mine = staging_.to_receive(data, bytes);
  MPI_Scatterv(whole.data(), counts_.data(), starts_.data(), MPI_BYTE, mine, static_cast<int>(bytes),
               MPI_BYTE, root_, comm.raw());
  staging_.arrived(space, data, bytes);
}

}  // namespace Tessera::comm
