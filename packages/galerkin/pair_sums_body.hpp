#pragma once
/// \file
/// Sums over pairs of aggregates: a merge of rows of A by the members of aggregates.
#include "galerkin/local_aggregates.hpp"
#include "galerkin/pair_sums.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"

namespace Tessera::galerkin {

/// Left operand: row I has the entries of all rows of A that are members of I, in order, times T's entry of
/// the row if that is not 1.
template <bool Indicator, class V>
struct AggregateRows {
  sparse::CsrView<V> A;
  Index const *first_member, *member;
  Offset const* first_entry;
  Index count;
  double const* value_of_T;

  struct Row {
    static constexpr bool keeps_all = true;
    Index const* column;
    V const* value;
    Offset const* offsets;
    double const* value_of_T;
    Index const* next;  ///< member
    Offset until,
        shift;  ///< of the previous member: the end of its entries, and the offset of its entries in A
    double t;
    Offset begin, end, at;
    TESSERA_HD void move(Offset k) {
      while (k >= until) {
        Index const i = *next++;
        Offset const from = offsets[i];
        shift = from - until;
        until += offsets[i + 1] - from;
        if (!Indicator) t = value_of_T[i];
      }
      at = k + shift;
    }
    TESSERA_HD Index source() const { return column[at]; }
    TESSERA_HD bool keeps() const { return true; }
    TESSERA_HD double factor() const {
      double const a = value[at];
      return Indicator ? a : t * a;
    }
  };
  TESSERA_HD Index rows() const { return count; }
  std::size_t entries() const { return A.column.size(); }
  TESSERA_HD Row row(Index I) const {
    auto const begin = first_entry[I];
    return {A.column.data(),
            A.value.data(),
            A.offsets.data(),
            value_of_T,
            member + first_member[I],
            begin,
            0,
            1.0,
            begin,
            first_entry[I + 1],
            0};
  }
};

/// Number of entries in the rows of an aggregate's members.
struct CountMemberEntries {
  Offset const* offsets;
  Index const *first, *member;
  Offset* count;
  TESSERA_HD void operator()(Index I) const {
    Offset sum = 0;
    for (Index p = first[I]; p < first[I + 1]; ++p) sum += offsets[member[p] + 1] - offsets[member[p]];
    count[I] = sum;
  }
};

template <class Space, class V>
template <class Work>
void PairSums<Space, V>::with_merge(comm::DistCsr<V, Space> const& A, Tentative<Space> const& T,
                                    AggregateMap<Space> const& map, Work const& work) const {
  auto const of_column = distributed_ ? of_column_.view() : map.aggregate.view();
  auto const columns =
      distributed_ ? columns_.distribution().local_size() + columns_.ghost_count() : map.aggregates();
  if (T.indicator) {
    work(AggregateRows<true, V>{A.local.view(), map.first.data(), map.member.data(), first_.data(),
                                map.aggregates(), nullptr},
         IndicatorRows(of_column, columns));
  } else {
    work(AggregateRows<false, V>{A.local.view(), map.first.data(), map.member.data(), first_.data(),
                                 map.aggregates(), T.value.data()},
         TentativeRows<1>{of_column, T.value.data(), ghost_values_.data(), A.local.rows, columns, 1});
  }
}

template <class Space, class V>
void PairSums<Space, V>::finish(Space const& space, Scales<Space> const& scales,
                                Array<double, Space>* diagonal) {
  if (diagonal != nullptr) *diagonal = Array<double, Space>(space, coarse_.local.rows);
  decoupling_.run(space, coarse_.local, 1,
                  {scales.known(), scales.nullspace, diagonal == nullptr ? nullptr : diagonal->data()});
  partial_.value = {};
}

template <class Space, class V>
PairSums<Space, V>::PairSums(Space const& space, comm::DistCsr<V, Space> const& A, Tentative<Space> const& T,
                             AggregateMap<Space> const& map, bool keep, Array<double, Space>* diagonal,
                             Scales<Space> const& scales)
    : distributed_(!A.rows.on_one_rank_with(T.coarse_rows)) {
  TESSERA_EXPECT(T.equations == 1 && T.vectors == 1);
  if (distributed_) {
    auto const of_ghost = aggregates_of_ghosts(space, A.halo, T);
    auto foreign = foreign_aggregates(space, T, of_ghost);
    comm::agree_on_errors(A.rows.comm(), [&] {
      of_column_ = local_aggregates(space, A.local.rows, T, of_ghost, foreign);
      ghost_values_ = Array<double, Space>(space, T.indicator ? 0 : A.halo.ghost_count());
    });
    columns_ = comm::HaloPlan<Space>(T.coarse_rows, std::move(foreign));
    if (!T.indicator) A.halo.exchange(space, T.value.view(), ghost_values_.span());
  }
  comm::agree_on_errors(A.rows.comm(), [&] {
    sum_scale(space, T, map, scales);
    auto const count = static_cast<std::size_t>(map.aggregates());
    first_ = Array<Offset, Space>(space, count + 1);
    core::for_each(
        space, count,
        CountMemberEntries{A.local.offsets.data(), map.first.data(), map.member.data(), first_.data()});
    core::prefix_sums(space, first_.span().part(0, count), first_.span());
    with_merge(A, T, map, [&](auto const& left, auto const& right) {
      sparse::PlainSums const plain;
      sums() = sparse::row_merge(space, left, right, plain);
      if (keep) plan_ = sparse::product_plan(space, left, right, plain, 1, sums().view());
    });
  });
  if (distributed_) {
    assembly_ = CoarseAssembly<Space>(space, map.halo, columns_, partial_.view(), scales, coarse_);
  } else {
    coarse_.rows = T.coarse_rows;
    coarse_.halo = comm::HaloPlan<Space>(T.coarse_rows);
  }
  finish(space, scales, diagonal);
  if (keep) return;
  columns_ = {};
  of_column_ = {};
  ghost_values_ = {};
  first_ = {};
  partial_ = {};
  assembly_ = {};
  decoupling_ = {};
}

template <class Space, class V>
void PairSums<Space, V>::refresh(Space const& space, comm::DistCsr<V, Space> const& A,
                                 Tentative<Space> const& T, AggregateMap<Space> const& map,
                                 Scales<Space> const& scales) {
  coarse_.local.value = Array<double, Space>(space, coarse_.local.column.size());
  if (distributed_) partial_.value = Array<double, Space>(space, partial_.column.size());
  comm::agree_on_errors(A.rows.comm(), [&] {
    sum_scale(space, T, map, scales);
    with_merge(A, T, map, [&](auto const& left, auto const& right) {
      auto& C = sums();
      sparse::refresh_merge(space, left, right, sparse::PlainSums{}, plan_, C.view(), C.value.data());
    });
  });
  if (distributed_) {
    add_up_scale(space, map.halo, scales);
    assembly_.add(space, partial_.view(), coarse_);
  }
  finish(space, scales);
}

template <class Space, class V>
std::size_t PairSums<Space, V>::bytes() const {
  return of_column_.bytes() + ghost_values_.bytes() + first_.bytes() + plan_.bytes() + partial_.bytes() +
         assembly_.bytes() + decoupling_.bytes() + coarse_.bytes();
}

}  // namespace Tessera::galerkin
