#pragma once
/// \file
/// The triple product, and how many entries it will have.
#include <cstdint>
#include <optional>

#include "comm/dist_csr.hpp"
#include "core/parallel.hpp"
#include "galerkin/coarse_assembly_body.hpp"
#include "galerkin/triple_product.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// The columns of the product that are counted: the columns of up to 64 aggregates, evenly spaced in the
/// order of aggregates, with one bit per aggregate.
struct CountedAggregates {
  static constexpr GlobalIndex most = 64;
  GlobalIndex aggregates;
  int width;  ///< columns per aggregate

  TESSERA_HD GlobalIndex count() const { return aggregates < most ? aggregates : most; }
  /// The bit of a global column of P; none if its aggregate is not counted.
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

/// The counted aggregates that a row reaches.
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
/// columns, else an estimate. R: P.local^T. The number is the same on hosts, on GPUs and on any number of
/// ranks. Collective.
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
  Bits of_coarse(space, R.rows), of_fine(space, A.local.columns), after_A(space, rows);
  auto const ghosts = core::to_space(space, P.halo.ghosts());
  core::for_each(
      space, of_coarse.size(),
      BitsOfColumns{counted, coarse.begin(), coarse.local_size(), ghosts.data(), of_coarse.data()});
  pass(P.local.view(), of_coarse, of_fine);
  A.halo.template exchange<comm::BitSet>(space, of_fine.view().part(0, rows),
                                         of_fine.span().part(rows, of_fine.size() - rows));
  std::optional<comm::NoErrorSync> agreed(A.rows.comm());  // nothing fails before the sum
  pass(A.local.view(), of_fine, after_A);
  pass(R, after_A, of_coarse);
  P.halo.template add_from_ghosts<comm::BitSet>(space, of_coarse.view().part(owned, of_coarse.size() - owned),
                                                of_coarse.span().part(0, owned));
  agreed.reset();
  auto const found = coarse.comm().sum(core::sum(space, owned, CountBits{of_coarse.data()}));
  return static_cast<double>(found) * width *
         (static_cast<double>(counted.aggregates) / static_cast<double>(counted.count()));
}

template <class Space>
sparse::ChainOperands<Space> TripleProduct<Space>::operands(comm::DistCsr<double, Space> const& A,
                                                            comm::DistCsr<double, Space> const& P) const {
  return {P.local.view(), restriction_, A.local.view(),
          distributed_ ? extended_P_.local.view() : P.local.view(), blocks_};
}

template <class Space>
void TripleProduct<Space>::finish(Space const& space, Scales<Space> const& scales) {
  decoupling_.run(space, coarse_.local, blocks_.width, {scales.known(), scales.nullspace});
  extended_P_.release_rows();
  partial_.value = {};
}

template <class Space>
TripleProduct<Space>::TripleProduct(Space const& space, comm::DistCsr<double, Space> const& A,
                                    comm::DistCsr<double, Space> const& P, sparse::SpgemmMethod method,
                                    sparse::BlockShape const& blocks, bool keep, Scales<Space> const& scales,
                                    double most, bool keep_source)
    : method_(method), blocks_(blocks), distributed_(!A.rows.on_one_rank_with(P.columns())) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    restriction_ = sparse::transpose(space, P.local.view());
    auto const n = static_cast<double>(P.columns().global_size());
    if (n * n <= most) return;
    double const entries = product_entries(space, A, P, restriction_.matrix.view(), blocks.width);
    if (entries > most) too_many_ = entries;
  });
  if (too_many_ > 0) return;
  if (distributed_) extended_P_ = comm::extend_rows(space, P, A.halo);
  comm::agree_on_errors(A.rows.comm(), [&] {
    sum_scale(space, restriction_.matrix.view(), scales);
    if (!keep && !keep_source) restriction_.source = {};
    (distributed_ ? partial_ : coarse_.local) =
        sparse::spgemm_chain(space, operands(A, P), method, keep ? &plan_ : nullptr);
  });
  if (distributed_) {
    assembly_ = CoarseAssembly<Space>(space, P.halo, extended_P_.columns, partial_.view(), scales, coarse_);
  } else {
    coarse_.rows = P.columns();
    coarse_.halo = comm::HaloPlan<Space>(P.columns());
  }
  finish(space, scales);
  if (keep) return;
  extended_P_ = {};
  partial_ = {};
  decoupling_ = {};
  assembly_ = {};
}

template <class Space>
void TripleProduct<Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                   comm::DistCsr<double, Space> const& P, Scales<Space> const& scales) {
  coarse_.local.value = Array<double, Space>(space, coarse_.local.column.size());
  if (distributed_) {
    partial_.value = Array<double, Space>(space, partial_.column.size());
    comm::refresh_extended_rows(space, P, A.halo, extended_P_);
  }
  comm::agree_on_errors(A.rows.comm(), [&] {
    sparse::refresh_transpose(space, P.local.view(), restriction_);
    sum_scale(space, restriction_.matrix.view(), scales);
    sparse::refresh_chain(space, operands(A, P), method_, plan_, distributed_ ? partial_ : coarse_.local);
  });
  if (distributed_) {
    add_up_scale(space, P.halo, scales);
    assembly_.add(space, partial_.view(), coarse_);
  }
  finish(space, scales);
}

template <class Space>
std::size_t TripleProduct<Space>::bytes() const {
  return extended_P_.bytes() + plan_.bytes() + restriction_.matrix.bytes() + restriction_.source.bytes() +
         partial_.bytes() + decoupling_.bytes() + assembly_.bytes() + coarse_.bytes();
}

}  // namespace Tessera::galerkin
