#pragma once
/// \file
/// A hash of a distributed matrix, by which results are compared between runs, ranks and machines.
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <string>

#include "comm/dist_csr.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

/// Hashes of entries by the global numbers of their rows and columns.
struct EntryHash {
  GlobalIndex first_row, first_column;
  Index owned;  ///< columns
  Span<GlobalIndex const> ghosts;

  TESSERA_HD std::uint64_t of_row(Index i) const {
    return core::mix64(static_cast<std::uint64_t>(first_row + i) + 1);
  }
  /// row: of_row of the entry's row.
  TESSERA_HD std::uint64_t of_entry(std::uint64_t row, Index c, double value) const {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    auto const column = static_cast<std::uint64_t>(c < owned ? first_column + c : ghosts[c - owned]);
    return core::mix64((row + odd * column) ^ bits);
  }
};

/// ghosts: of A, in the memory of the space.
template <class Space>
EntryHash entry_hash(DistCsr<double, Space> const& A, Span<GlobalIndex const> ghosts) {
  return {A.rows.begin(), A.columns().begin(), A.columns().local_size(), ghosts};
}

/// Sum of the entries' hashes in one row.
struct RowChecksum {
  sparse::CsrView<double> A;
  EntryHash hash;
  TESSERA_HD std::uint64_t operator()(Index i) const {
    std::uint64_t sum = 0;
    auto const row = hash.of_row(i);
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      sum += hash.of_entry(row, A.column[k], A.value[k]);
    return sum;
  }
};

/// The ranks' sums added up, in hexadecimal. Collective.
inline std::string checksum_text(Communicator const& comm, std::uint64_t local) {
  std::uint64_t total = 0;
  for (auto const part : comm.all_gather(static_cast<GlobalIndex>(local))) {
    total += static_cast<std::uint64_t>(part);
  }
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << total;
  return text.str();
}

/// A 64-bit fingerprint of pattern and values, in hexadecimal: the sum over entries of a hash of (global row,
/// global column, bits of the value), so that neither the order of storage nor the number of ranks matters.
/// Collective.
template <class Space>
std::string checksum(Space const& space, DistCsr<double, Space> const& A) {
  auto const ghosts = core::to_space(space, A.halo.ghosts());
  auto const local =
      core::sum(space, A.local.rows, RowChecksum{A.local.view(), entry_hash(A, ghosts.view())});
  return checksum_text(A.rows.comm(), local);
}

}  // namespace Tessera::comm
