#pragma once
/// \file
/// Search for ghost rows, and the order of owned and ghost rows.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "fsai/lower_matrix.hpp"
#include "fsai/pattern.hpp"
#include "galerkin/local_aggregates.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"

namespace Tessera::fsai {

/// 1 for rows whose columns do not ascend.
struct DescendingBody {
  sparse::CsrView<double> A;
  TESSERA_HD Index operator()(Index i) const {
    bool ascend = true;
    for (Offset k = A.offsets[i] + 1; k < A.offsets[i + 1]; ++k)
      ascend = ascend && A.column[k - 1] < A.column[k];
    return ascend ? 0 : 1;
  }
};

/// position[c]: position of column c; -1: LowerRows has no row c.
struct PositionBody {
  Numbering numbering;
  Span<Index const> ghost;  ///< of columns from `owned` on: index among the ghost rows; -1: none
  Span<Index> position;
  TESSERA_HD void operator()(Index c) const {
    Index const owned = numbering.owned, number = c < owned ? c : ghost[c - owned];
    position[c] = number < 0 ? -1 : numbering.position(c < owned ? c : owned + number);
  }
};

/// Left operand of a row merge: rows by their positions.
struct PermutedRows : sparse::CsrFactors {
  Numbering numbering;
  TESSERA_HD Row row(Index i) const { return CsrFactors::row(numbering.number(i)); }
};

/// Sort keys of the random order: a row's class, then its global index.
struct OrderBody {
  Span<GlobalIndex const> id;
  Span<GlobalIndex> key;
  Span<Index> number;
  static constexpr GlobalIndex classes = 64;
  static constexpr int id_bits = 56;
  TESSERA_HD void operator()(Index r) const {
    auto const row_class = static_cast<GlobalIndex>(core::mix62(id[r], 0)) & (classes - 1);
    key[r] = (row_class << id_bits) | id[r];
    number[r] = r;
  }
};

/// 1 for rows of the first half of the classes.
struct InFirstHalf {
  Span<GlobalIndex const> key;
  TESSERA_HD Index operator()(Index r) const {
    return (key[r] >> OrderBody::id_bits) < OrderBody::classes / 2 ? 1 : 0;
  }
};

struct InvertBody {
  Span<Index const> number_at;
  Span<Index> position_of;
  TESSERA_HD void operator()(Index position) const { position_of[number_at[position]] = position; }
};

/// The ascending ghosts that can precede an owned row; owned rows start at `begin`.
inline std::vector<GlobalIndex> lower_ghosts(std::vector<GlobalIndex> const& ghosts, GlobalIndex begin,
                                             Ordering ordering) {
  if (ordering != Ordering::natural) return ghosts;
  return {ghosts.begin(), std::lower_bound(ghosts.begin(), ghosts.end(), begin)};
}

/// The pattern of A after the prefilter, with values of zero.
template <class Space>
comm::DistCsr<double, Space> prefiltered(Space const& space, comm::DistCsr<double, Space> const& A,
                                         double tau) {
  auto const view = A.local.view();
  auto const rows = static_cast<std::size_t>(view.rows);
  auto const ghosts = static_cast<std::size_t>(A.halo.ghost_count());
  Array<double, Space> diagonal(space, rows + ghosts);
  auto const own = diagonal.span().part(0, rows);
  sparse::extract_diagonal(space, view, own);
  A.halo.exchange(space, Span<double const>(own), diagonal.span().part(rows, ghosts));
  auto pattern = prefiltered(space, view, diagonal.view(), tau, view.columns);
  Array<double, Space> value(space, pattern.column.size());
  core::fill(space, value.span(), 0.0);
  return {A.rows,
          A.halo,
          {view.rows, view.columns, std::move(pattern.offsets), std::move(pattern.column), std::move(value)}};
}

/// Ghost rows that patterns can reach, by a stepwise search from the border of this rank's rows. The first
/// parameters.pattern_level steps follow the prefiltered matrix, the steps of adaptive growth follow A.
template <class Space>
std::vector<GlobalIndex> reached_ghosts(Space const& space, comm::DistCsr<double, Space> const& A,
                                        Parameters const& parameters, int depth) {
  auto const begin = A.rows.begin();
  comm::DistCsr<double, Space> filtered;
  bool const filters = parameters.prefilter > 0 && parameters.pattern_level > 1 && depth > 1;
  if (filters) filtered = prefiltered(space, A, parameters.prefilter);
  auto known = lower_ghosts(A.halo.ghosts(), begin, parameters.ordering);
  auto newest = known;
  for (int step = 2; step <= depth; ++step) {
    bool const along_filtered = filters && step <= parameters.pattern_level;
    if (filters && step == parameters.pattern_level + 1)
      newest = known;  // steps along A start from every known row
    if (!A.rows.comm().any(!newest.empty())) break;
    auto const& matrix = along_filtered ? filtered : A;
    auto const rows =
        comm::extend_rows(space, matrix, comm::HaloPlan<Space>(space, A.rows, std::move(newest)));
    auto const reached = lower_ghosts(rows.columns.ghosts(), begin, parameters.ordering);
    newest.clear();
    std::set_difference(reached.begin(), reached.end(), known.begin(), known.end(),
                        std::back_inserter(newest));
    std::vector<GlobalIndex> all;
    std::merge(known.begin(), known.end(), newest.begin(), newest.end(), std::back_inserter(all));
    known = std::move(all);
  }
  return known;
}

template <class Space>
LowerMatrix<Space>::LowerMatrix(Space const& space, comm::DistCsr<double, Space> const& A,
                                Parameters const& parameters, bool halved) {
  auto const& comm = A.rows.comm();
  owned_ = A.rows.local_size();
  int depth = parameters.pattern_level + parameters.adaptive_steps;
  if (parameters.ghost_depth >= 0) depth = std::min(depth, parameters.ghost_depth);
  if (comm.size() > 1 && depth > 0) ghosts_ = reached_ghosts(space, A, parameters, depth);
  has_ghosts_ = comm.any(!ghosts_.empty());
  if (has_ghosts_) {
    ghost_halo_ = comm::HaloPlan<Space>(space, A.rows, ghosts_);
    extended_ = comm::extend_rows(space, A, ghost_halo_);
  }
  if (parameters.ordering != Ordering::natural) order(space, A.rows, halved);
  assemble_rows(space, A);
  is_set_up_ = true;
}

template <class Space>
void LowerMatrix<Space>::order(Space const& space, comm::Distribution const& rows, bool halved) {
  std::vector<GlobalIndex> ids(static_cast<std::size_t>(owned_));
  std::iota(ids.begin(), ids.end(), rows.begin());
  ids.insert(ids.end(), ghosts_.begin(), ghosts_.end());
  auto const id = core::to_space(space, ids);
  Array<GlobalIndex, Space> key(space, ids.size());
  number_at_ = Array<Index, Space>(space, ids.size());
  position_of_ = Array<Index, Space>(space, ids.size());
  auto const count = static_cast<Index>(ids.size());
  core::for_each(space, count, OrderBody{id.view(), key.span(), number_at_.span()});
  if (halved) columns_ = core::sum(space, count, InFirstHalf{key.view()});
  core::sort_by_key(space, key, number_at_);
  core::for_each(space, count, InvertBody{number_at_.view(), position_of_.span()});
}

template <class Space>
LowerRows LowerMatrix<Space>::view() const {
  auto const positions = position_of_.view();
  return {view_,
          {static_cast<Index>(ghosts_.size()), positions.part(0, positions.empty() ? 0 : owned_)},
          columns_};
}

template <class Space>
void LowerMatrix<Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A) {
  if (has_ghosts_) comm::refresh_extended_rows(space, A, ghost_halo_, extended_);
  assemble_rows(space, A);
}

template <class Space>
void LowerMatrix<Space>::release_rows() {
  own_ = {};
  view_ = {};
  extended_.release_rows();
}

template <class Space>
void LowerMatrix<Space>::assemble_rows(Space const& space, comm::DistCsr<double, Space> const& A) {
  auto const source = has_ghosts_ ? extended_.local.view() : A.local.view();
  if (number_at_.empty() && A.halo.ghost_count() == 0 && ghosts_.empty() &&
      core::sum(space, source.rows, DescendingBody{source}) == 0) {
    view_ = source;
    return;
  }
  auto const& foreign = has_ghosts_ ? extended_.columns.ghosts() : A.halo.ghosts();
  std::vector<Index> position;
  for (auto const c : foreign) {
    auto const at = std::lower_bound(ghosts_.begin(), ghosts_.end(), c);
    position.push_back(at != ghosts_.end() && *at == c ? static_cast<Index>(at - ghosts_.begin()) : -1);
  }
  auto const ghost = core::to_space(space, position);
  Array<Index, Space> position_of_column(space, source.columns);
  core::for_each(space, source.columns, PositionBody{numbering(), ghost.view(), position_of_column.span()});
  Array<double, Space> one(space, source.columns);
  core::fill(space, one.span(), 1.0);
  // The right operand of the merge is a permutation matrix: column c has its one at its position.
  own_ = sparse::row_merge(space, PermutedRows{{source}, numbering()},
                           galerkin::TentativeRows<1>{position_of_column.view(), one.data(), nullptr,
                                                      source.columns, source.rows, 1});
  view_ = own_.view();
}

}  // namespace Tessera::fsai
