#pragma once
/// \file
/// One pass over a matrix for its checks.
#include <cfloat>
#include <cmath>
#include <cstring>

#include "comm/global_reduction.hpp"
#include "comm/row_checks.hpp"
#include "core/hash.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::comm {

/// Sums that do not depend on the order: of integers, and of zeros with one other entry.
struct HashAndDiagonal {
  std::uint64_t hash = 0;
  double diagonal = 0;  ///< plus zero times each entry, which is NaN if the entry is not finite
  TESSERA_HD HashAndDiagonal& operator+=(HashAndDiagonal const& other) {
    hash += other.hash;
    diagonal += other.diagonal;
    return *this;
  }
};
/// The ordered part sums absolute values.
using CheckedEntries = sparse::PartlyOrdered<double, HashAndDiagonal>;

struct CheckEntry {
  GlobalIndex first_row, first_column;
  Index owned;  ///< columns
  Span<GlobalIndex const> ghosts;

  TESSERA_HD CheckedEntries operator()(Index i, Offset, double a, Index c) const {
    return {fabs(a), {hash(i, c, a), (c == i ? a : 0.0) + a * 0.0}};
  }
  TESSERA_HD std::uint64_t hash(Index i, Index c, double value) const {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    auto const row = core::mix64(static_cast<std::uint64_t>(first_row + i) + 1);
    auto const column = static_cast<std::uint64_t>(c < owned ? first_column + c : ghosts[c - owned]);
    return core::mix64((row + odd * column) ^ bits);
  }
};

struct CheckRow {
  Span<double> diagonal;
  double smallest;
  double const* scale;  ///< null: none
  TESSERA_HD RowChecks operator()(Index i, CheckedEntries const& entries) const {
    double const d = entries.rest.diagonal;
    diagonal[i] = d;
    return {entries.rest.hash, d > 0 && d >= smallest && d <= DBL_MAX ? entries.ordered / d : HUGE_VAL,
            scale == nullptr ? HUGE_VAL : d / scale[i]};
  }
};

struct JoinChecks {
  TESSERA_HD RowChecks operator()(RowChecks const& a, RowChecks const& b) const {
    return {a.hash + b.hash, a.bound < b.bound ? b.bound : a.bound, b.share < a.share ? b.share : a.share};
  }
};

template <class Space>
GlobalIndex check_rows(Space const& space, DistCsr<double, Space> const& A, Span<double> diagonal,
                       RowChecks* found, double smallest, double const* scale) {
  auto const ghosts = core::to_space(space, A.halo.ghosts());
  CheckEntry const entry{A.rows.begin(), A.columns().begin(), A.columns().local_size(), ghosts.view()};
  GlobalReduction<Space> global_reduction(space, A.rows.comm(), diagonal.size());
  Array<RowChecks, Space> of_row(space, diagonal.size());
  auto const nonzeros = global_nonzeros(A);  // agrees on errors
  NoErrorSync const agreed(A.rows.comm());
  global_reduction.template reduce<RowChecks>(
      JoinChecks{}, core::StoreResult<RowChecks>{found}, [&](auto const& finish, auto& scratch) {
        sparse::StoreNumber<CheckRow, RowChecks> const store{{diagonal, smallest, scale}, of_row.data()};
        sparse::row_reduce_into(space, A.local.view(), entry, store,
                                core::fixed_tree::Load<RowChecks>{of_row.data()}, JoinChecks{}, RowChecks{},
                                finish, scratch);
      });
  return nonzeros;
}

template <class Space>
std::string checksum(Space const& space, DistCsr<double, Space> const& A) {
  Array<double, Space> diagonal(space, A.local.rows);
  Array<RowChecks, Space> found(space, 1);
  check_rows(space, A, diagonal.span(), found.data());
  return checksum_text(core::to_vector(space, found.view()).front().hash);
}

}  // namespace Tessera::comm
