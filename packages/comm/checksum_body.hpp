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

/// Sum of the entries' hashes in one row.
struct RowChecksum {
  sparse::CsrView<double> A;
  GlobalIndex first_row, first_column;
  Index owned;  ///< columns
  Span<GlobalIndex const> ghosts;
  TESSERA_HD std::uint64_t operator()(Index i) const {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t sum = 0;
    auto const row = core::mix64(static_cast<std::uint64_t>(first_row + i) + 1);
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      std::uint64_t bits;
      double const value = A.value[k];
      std::memcpy(&bits, &value, sizeof bits);
      Index const c = A.column[k];
      auto const column = static_cast<std::uint64_t>(c < owned ? first_column + c : ghosts[c - owned]);
      sum += core::mix64((row + odd * column) ^ bits);
    }
    return sum;
  }
};

/// A 64-bit fingerprint of pattern and values, in hexadecimal: the sum over entries of a hash of (global row,
/// global column, bits of the value), so that neither the order of storage nor the number of ranks matters.
/// Collective.
template <class Space>
std::string checksum(Space const& space, DistCsr<double, Space> const& A) {
  auto const ghosts = core::to_space(space, A.halo.ghosts());
  auto const local = core::sum(space, A.local.rows,
                               RowChecksum{A.local.view(), A.rows.begin(), A.columns().begin(),
                                           A.columns().local_size(), ghosts.view()});
  std::uint64_t total = 0;
  for (auto const part : A.rows.comm().all_gather(static_cast<GlobalIndex>(local))) {
    total += static_cast<std::uint64_t>(part);
  }
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << total;
  return text.str();
}

}  // namespace Tessera::comm
