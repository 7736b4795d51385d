#pragma once
/// \file
/// The filtered diagonal, and the smoothed prolongator: a merge of rows of T by rows of A_F.
#include <algorithm>
#include <cmath>
#include <optional>

#include "comm/communicator.hpp"
#include "comm/global_reduction.hpp"
#include "core/error.hpp"
#include "galerkin/local_aggregates.hpp"
#include "galerkin/prolongator.hpp"
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// A value that is zero except for one entry, and the number of weak entries.
struct DiagonalAndCount {
  double a_ii = 0, weak = 0;
  TESSERA_HD DiagonalAndCount& operator+=(DiagonalAndCount const& other) {
    a_ii += other.a_ii;
    weak += other.weak;
    return *this;
  }
};
/// Ordered: the sum over the weak entries of a row, and of absolute values over its weak and its strong
/// entries.
using FilteredSums = sparse::PartlyOrdered<ThreeSums, DiagonalAndCount>;

/// For a B of ones: weak entries are lumped with weight 1.
struct WeightedByOnes {
  TESSERA_HD double term(double weak, Index) const { return weak; }
  TESSERA_HD double share(double sum, Index) const { return sum; }
  TESSERA_HD bool is_sound(double, double, double) const { return true; }
};
/// For any other B.
struct WeightedByVector {
  KeptVector B;
  TESSERA_HD double term(double weak, Index j) const { return weak * B(j); }
  TESSERA_HD double share(double sum, Index i) const { return sum / B(i); }
  /// False also for infinity, which results from B_i = 0.
  TESSERA_HD bool is_sound(double d, double a_ii, double keep_above) const { return d * keep_above < a_ii; }
};

/// Filters rows of A. Decides which rows are lumped, or reads the decision from `lumped`.
template <class Weights>
struct FilteredRows {
  bool decides;  ///< whether `lumped` is written; else it is read
  FilterParameters parameters;
  Span<unsigned char const> strong;
  Weights weights;
  unsigned char* lumped;
  double* diagonal;

  /// Without branches, because weak entries are unpredictable; adding 0 changes nothing.
  TESSERA_HD FilteredSums operator()(Index i, Offset k, double a, Index c) const {
    bool const filters = decides ? parameters.filtered : lumped[i] != 0;
    bool const is_diagonal = c == i, is_weak = filters && ((c != i) & (strong[k] == 0));
    double const weak = is_weak ? a : 0.0;
    return {{weights.term(weak, c), fabs(weak), is_weak || is_diagonal ? 0.0 : fabs(a)},
            {is_diagonal ? a : 0.0, is_weak ? 1.0 : 0.0}};
  }
  /// Whether the weak entries of a row may be dropped, given this diagonal entry.
  TESSERA_HD bool is_sound(double d, double a_ii) const {
    if (!decides) return d > 0 && d < HUGE_VAL;
    return d > 0 && d > parameters.keep_above * a_ii && weights.is_sound(d, a_ii, parameters.keep_above);
  }
  /// Writes a row's results. Returns its sum of absolute values relative to its diagonal entry.
  TESSERA_HD double operator()(Index i, FilteredSums const& sums) const {
    auto const [weak, absolute_weak, absolute_strong] = sums.ordered;
    double const a_ii = sums.rest.a_ii;
    bool const any = sums.rest.weak > 0;
    double const lumped_sum = any ? a_ii + weights.share(weak, i) : a_ii;
    bool const lumps = any && is_sound(lumped_sum, a_ii);
    if (decides) lumped[i] = lumps ? 1 : 0;
    diagonal[i] = lumps ? lumped_sum : a_ii;
    bool const drops = decides ? lumps : any;
    double const others = absolute_strong + (drops ? 0 : absolute_weak);
    return (fabs(diagonal[i]) + others) / diagonal[i];
  }
};

template <class Space, class Weights>
void filter_rows(Space const& space, comm::DistCsr<double, Space> const& A, FilteredRows<Weights> const& rows,
                 double* bound) {
  comm::GlobalReduction<Space> global_reduction(space, comm::ranks_with_rows(A.rows), A.local.rows);
  Array<double, Space> of_row(space, A.local.rows);
  sparse::StoreNumber<FilteredRows<Weights>, double> const store{rows, of_row.data()};
  global_reduction.template reduce<double>(
      core::Max{}, core::StoreResult<double>{bound}, [&](auto const& finish, auto& scratch) {
        sparse::row_reduce_into(space, A.local.view(), rows, store,
                                core::fixed_tree::Load<double>{of_row.data()}, core::Max{}, 0.0, finish,
                                scratch);
      });
}

/// Calls work with the weights for B.
template <class Space>
void filter_rows(Space const& space, comm::DistCsr<double, Space> const& A, bool decides,
                 FilterParameters const& parameters, Span<unsigned char const> strong, KeptVector B,
                 unsigned char* lumped, double* diagonal, double* bound) {
  auto const with = [&](auto weights) {
    filter_rows(space, A,
                FilteredRows<decltype(weights)>{decides, parameters, strong, weights, lumped, diagonal},
                bound);
  };
  if (B.is_ones()) return with(WeightedByOnes{});
  with(WeightedByVector{B});
}

template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters, KeptVector B,
                       Span<double> diagonal, Span<unsigned char> lumped, double* bound) {
  TESSERA_EXPECT(!parameters.filtered || strong.size() == A.local.column.size());
  filter_rows(space, A, true, parameters, strong, B, lumped.data(), diagonal.data(), bound);
}

template <class Space>
void refresh_filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                               Span<unsigned char const> strong, Span<unsigned char const> lumped,
                               KeptVector B, Span<double> diagonal, double* bound) {
  filter_rows(space, A, false, {}, strong, B, const_cast<unsigned char*>(lumped.data()), diagonal.data(),
              bound);
}

/// Left operand: A_F with D_F, or blocks, on the diagonal. Vertices without an aggregate have empty rows.
struct FilteredFactors {
  sparse::CsrView<double> A;
  FilteredEntries filter;
  Span<double const> diagonal;
  Index const* aggregate;  ///< of A's local columns

  struct Row {
    Index const* column;
    double const* value;
    unsigned char const* strong;
    Offset begin, end, at;
    double const* block;  ///< of A_F's diagonal: its columns from `first` on, `width` of them
    Index first;
    unsigned width;
    bool keeps_all;
    TESSERA_HD unsigned block_column() const { return static_cast<unsigned>(column[at] - first); }
    TESSERA_HD void move(Offset k) { at = k; }
    TESSERA_HD Index source() const { return column[at]; }
    TESSERA_HD bool keeps() const { return keeps_all || (block_column() < width) | (strong[at] != 0); }
    TESSERA_HD double factor() const {
      double const a = value[at];  // read unconditionally, without a branch
      return block_column() < width ? block[block_column()] : a;
    }
  };
  TESSERA_HD Index rows() const { return A.rows; }
  std::size_t entries() const { return A.column.size(); }
  TESSERA_HD Row row(Index i) const {
    auto const begin = A.offsets[i];
    auto const end = aggregate[i] < 0 ? begin : A.offsets[i + 1];
    bool const whole = filter.blocks.empty();
    auto const width = static_cast<unsigned>(filter.equations);
    auto const at = static_cast<unsigned>(i) / width * width;
    return {A.column.data(),
            A.value.data(),
            filter.strong.data(),
            begin,
            end,
            begin,
            whole ? diagonal.data() + i : filter.blocks.data() + static_cast<Offset>(i) * width,
            whole ? i : static_cast<Index>(at),
            whole ? 1U : width,
            filter.lumped[i] == 0};
  }
};

/// Left operand: the identity for vertices with an aggregate.
struct IdentityRows {
  Span<Index const> aggregate;
  Index count;
  struct Row {
    static constexpr bool keeps_all = true;
    Offset begin, end, at;
    TESSERA_HD void move(Offset k) { at = k; }
    TESSERA_HD Index source() const { return static_cast<Index>(at); }
    TESSERA_HD bool keeps() const { return true; }
    TESSERA_HD double factor() const { return 1; }
  };
  TESSERA_HD Index rows() const { return count; }
  std::size_t entries() const { return static_cast<std::size_t>(count); }
  TESSERA_HD Row row(Index i) const { return {i, i + (aggregate[i] < 0 ? 0 : 1), i}; }
};

/// Epilogue: T_i - omega / d_i times the sum. Columns of aggregates ascend by global number.
template <int Width>
struct DampedSums {
  static constexpr bool plain = false;
  Span<double const> diagonal;
  Damping omega;
  Index const* aggregate;
  double const* own;
  AggregateOrder order;
  int dynamic_width;

  struct Row {
    Index own_column;  ///< the first column of the vertex's own aggregate
    int width;
    double const* t;
    double first, factor;
    TESSERA_HD double operator()(Index column, double sum) const {
      if (Width == 1) return (column == own_column ? first : 0.0) - factor * sum;
      auto const c = static_cast<unsigned>(column - own_column);
      return (c < static_cast<unsigned>(Width > 0 ? Width : width) ? t[c] : 0.0) - factor * sum;
    }
  };
  TESSERA_HD Row row(Index i) const {
    int const w = Width > 0 ? Width : dynamic_width;
    double const* const t = own + static_cast<Offset>(i) * w;
    return {aggregate[i] * w, w, t, *t, omega() / diagonal[i]};
  }
  TESSERA_HD Index key(Index block) const { return order.rank_of(block); }
  TESSERA_HD Index block(Index key) const { return order.local_of(key); }
};

/// Calls work(left, right, epilogue) with the operands of the merge for P. order: of its columns. The rows
/// of a node share one pattern.
template <class Space, class Work>
void with_merge(comm::DistCsr<double, Space> const& A, FilteredEntries const& entries,
                Span<double const> diagonal, Tentative<Space> const& T, Damping omega,
                ProlongatorPlan<Space> const& plan, Index aggregates, AggregateOrder const& order,
                Work const& work) {
  int const m = T.vectors;
  auto const aggregate = plan.aggregate.view();
  sparse::with_width(T.equations > 1 && m == 1 ? 0 : m, [&](auto width) {
    constexpr int w = decltype(width)::value;
    TentativeRows<w> const right{aggregate, T.value.data(), plan.ghost.data(), A.local.rows, aggregates, m};
    if (plan.smoothed) {
      work(FilteredFactors{A.local.view(), entries, diagonal, aggregate.data()}, right,
           DampedSums<w>{diagonal, omega, aggregate.data(), T.value.data(), order, m});
    } else {
      work(IdentityRows{aggregate, A.local.rows}, right, sparse::PlainSums{});
    }
  });
}

template <class Space>
comm::DistCsr<double, Space> prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                                         FilteredEntries const& entries, Span<double const> diagonal,
                                         Tentative<Space> const& T, Damping omega,
                                         ProlongatorPlan<Space>* plan, GlobalIndex* nonzeros) {
  TESSERA_EXPECT(static_cast<std::size_t>(A.local.rows) == T.aggregate.size() * T.equations);
  OwnAggregates<Space> const own(T);
  comm::DistCsr<double, Space> P;
  P.rows = A.rows;
  ProlongatorPlan<Space> found;
  found.smoothed = !omega.is_zero();
  Array<GlobalIndex, Space> of_ghost;
  if (found.smoothed) {
    found.ghost = Array<double, Space>(space, static_cast<std::size_t>(A.halo.ghost_count()) * T.vectors);
    of_ghost = aggregates_of_ghosts(space, A.halo, T);
    std::optional<comm::NoErrorSync> agreed;
    if (T.vectors == 1) agreed.emplace(A.rows.comm());  // the plan has room for the exchange
    A.halo.exchange(space, T.value.view(), found.ghost.span(), T.vectors);
  }
  if (!found.smoothed) A.rows.comm().agree();
  P.halo = columns_of_aggregates(
      space, T,
      [&] {
        auto foreign = foreign_aggregates(space, T, of_ghost);
        auto const below = std::lower_bound(foreign.begin(), foreign.end(), own.begin) - foreign.begin();
        found.aggregate = local_aggregates(space, A.local.rows, T, of_ghost, foreign);
        with_merge(A, entries, diagonal, T, omega, found, own.size() + static_cast<Index>(foreign.size()),
                   {own.size(), static_cast<Index>(below)},
                   [&](auto const& left, auto const& right, auto const& epilogue) {
                     int const rows = T.equations;
                     P.local = sparse::row_merge(space, left, right, epilogue, rows);
                     if (plan != nullptr)
                       found.product =
                           sparse::product_plan(space, left, right, epilogue, rows, P.local.view());
                   });
        if (plan != nullptr) *plan = std::move(found);
        if (nonzeros != nullptr) *nonzeros = P.local.nonzeros();
        return foreign;
      },
      nonzeros);
  return P;
}

template <class Space>
void refresh_prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                         FilteredEntries const& entries, Span<double const> diagonal,
                         Tentative<Space> const& T, Damping omega, ProlongatorPlan<Space> const& plan,
                         comm::DistCsr<double, Space>& P) {
  OwnAggregates<Space> const own(T);
  auto const& ghosts = P.halo.ghosts();
  auto const below = std::lower_bound(ghosts.begin(), ghosts.end(), T.coarse_rows.begin()) - ghosts.begin();
  with_merge(A, entries, diagonal, T, omega, plan, P.local.columns / T.vectors,
             {own.size(), static_cast<Index>(below) / T.vectors},
             [&](auto const& left, auto const& right, auto const& epilogue) {
               sparse::refresh_merge(space, left, right, epilogue, plan.product, P.local.view(),
                                     P.local.value.data());
             });
}

}  // namespace Tessera::galerkin
