#pragma once
/// \file
/// How many entries P^T A P will have, before it is made.
#include <cstdint>

#include "comm/dist_csr.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// Which columns of the product are counted: those of up to 64 aggregates, at equal distances in the order of
/// aggregates, a bit for each.
struct CountedAggregates {
  static constexpr GlobalIndex most = 64;
  GlobalIndex aggregates;
  int width;  ///< columns an aggregate

  TESSERA_HD GlobalIndex count() const { return aggregates < most ? aggregates : most; }
  /// Of a global column of P.
  TESSERA_HD comm::BitSet bit(GlobalIndex column) const {
    GlobalIndex const aggregate = column / width;
    GlobalIndex const k = (aggregate * count() + aggregates - 1) / aggregates;
    if (k >= count() || k * aggregates / count() != aggregate) return {};
    return {std::uint64_t{1} << k};
  }
};

/// Bits of P's local columns: owned from `begin` on, then ghosts.
struct BitsOfColumns {
  CountedAggregates counted;
  GlobalIndex begin;
  Index owned;
  GlobalIndex const* ghosts;
  comm::BitSet* bits;
  TESSERA_HD void operator()(Index c) const {
    bits[c] = counted.bit(c < owned ? begin + c : ghosts[c - owned]);
  }
};

/// Which of the columns a row reaches.
struct ReachedByEntry {
  comm::BitSet const* of_column;
  TESSERA_HD comm::BitSet operator()(Index, Offset, double, Index c) const { return of_column[c]; }
};

struct CountBits {
  comm::BitSet const* of_row;
  TESSERA_HD GlobalIndex operator()(Index i) const {
    GlobalIndex count = 0;
    for (auto rest = of_row[i].bits; rest != 0; rest &= rest - 1) ++count;
    return count;
  }
};

/// Entries of P^T A P on all ranks, by three passes over patterns: exact up to 64 aggregates of `width`
/// columns, else an estimate. R: P.local^T. Hosts, GPUs and any number of ranks get the same number.
/// Collective.
template <class Space>
double product_entries(Space const& space, comm::DistCsr<double, Space> const& A,
                       comm::DistCsr<double, Space> const& P, sparse::CsrView<double> R, int width) {
  auto const& coarse = P.columns();
  CountedAggregates const counted{coarse.global_size() / width, width};
  if (counted.aggregates == 0) return 0;
  using Bits = Array<comm::BitSet, Space>;
  auto const pass = [&](sparse::CsrView<double> const& matrix, Bits const& from, Bits& to) {
    sparse::row_reduce(space, matrix, ReachedByEntry{from.data()},
                       sparse::StoreProduct<comm::BitSet>{to.data()});
  };
  auto const rows = static_cast<std::size_t>(A.local.rows);
  auto const owned = static_cast<std::size_t>(coarse.local_size());
  Bits of_coarse(space, R.rows), of_fine(space, A.local.columns), behind_A(space, rows);
  auto const ghosts = core::to_space(space, P.halo.ghosts());
  core::for_each(
      space, of_coarse.size(),
      BitsOfColumns{counted, coarse.begin(), coarse.local_size(), ghosts.data(), of_coarse.data()});
  pass(P.local.view(), of_coarse, of_fine);
  A.halo.template exchange<comm::BitSet>(space, of_fine.view().part(0, rows),
                                         of_fine.span().part(rows, of_fine.size() - rows));
  pass(A.local.view(), of_fine, behind_A);
  pass(R, behind_A, of_coarse);
  P.halo.template add_from_ghosts<comm::BitSet>(space, of_coarse.view().part(owned, of_coarse.size() - owned),
                                                of_coarse.span().part(0, owned));
  auto const found = coarse.comm().sum(core::sum(space, owned, CountBits{of_coarse.data()}));
  return static_cast<double>(found) * width *
         (static_cast<double>(counted.aggregates) / static_cast<double>(counted.count()));
}

}  // namespace Tessera::galerkin
