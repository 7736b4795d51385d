#pragma once
/// \file
/// Which rows of other ranks are wanted, and all rows in one ascending order.
#include <algorithm>
#include <iterator>

#include "core/error.hpp"
#include "fsai/lower_matrix.hpp"
#include "fsai/pattern_body.hpp"

namespace Tessera::fsai {

/// How many rows have columns that do not ascend.
struct DescendingBody {
  sparse::CsrView<double> A;
  TESSERA_HD Index operator()(Index i) const {
    bool ascend = true;
    for (Offset k = A.offsets[i] + 1; k < A.offsets[i + 1]; ++k)
      ascend = ascend && A.column[k - 1] < A.column[k];
    return ascend ? 0 : 1;
  }
};

/// For count_entries and take_entries: rows of `source`, the ghosts' first, with those of its columns that
/// have a place.
struct ArrangeBody {
  sparse::CsrView<double> source;
  Index ghosts, owned;             ///< rows
  Span<Index const> ghost_column;  ///< place of the columns from `owned` on; -1: none
  Offset* offsets;
  Index* column;
  Offset* origin;  ///< entry of source
  TESSERA_HD Index row(Index i) const { return i < ghosts ? owned + i : i - ghosts; }
  TESSERA_HD Index place(Offset k) const {
    Index const c = source.column[k];
    return c < owned ? ghosts + c : ghost_column[c - owned];
  }
  TESSERA_HD Offset begin(Index i) const { return source.offsets[row(i)]; }
  TESSERA_HD Offset end(Index i) const { return source.offsets[row(i) + 1]; }
  TESSERA_HD bool operator()(Index, Offset k) const { return place(k) >= 0; }
  TESSERA_HD void count(Index i, Offset count) const { offsets[i] = count; }
  TESSERA_HD Offset start(Index i) const { return offsets[i]; }
  TESSERA_HD void take(Index, Offset k, Offset to) const {
    column[to] = place(k);
    origin[to] = k;
  }
};

/// Rows are a few ascending stretches, which inserting is quick with; then their values come.
struct SortRowBody {
  Span<Offset const> offsets;
  Span<Index> column;
  Span<Offset> origin;
  Span<double const> source;
  Span<double> value;
  TESSERA_HD void operator()(Index i) const {
    auto const begin = offsets[i], end = offsets[i + 1];
    for (Offset k = begin + 1; k < end; ++k) {
      Index const c = column[k];
      Offset const o = origin[k];
      Offset to = k;
      for (; to > begin && column[to - 1] > c; --to) {
        column[to] = column[to - 1];
        origin[to] = origin[to - 1];
      }
      column[to] = c;
      origin[to] = o;
    }
    for (Offset k = begin; k < end; ++k) value[k] = source[origin[k]];
  }
};

/// Those of ascending ghosts that are below `begin`.
inline std::vector<GlobalIndex> lower_ghosts(std::vector<GlobalIndex> const& ghosts, GlobalIndex begin) {
  return {ghosts.begin(), std::lower_bound(ghosts.begin(), ghosts.end(), begin)};
}

/// A without what the prefilter drops, for its pattern; values are zero.
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
  auto pattern = prefiltered(space, view, diagonal.view(), tau);
  Array<double, Space> value(space, pattern.column.size());
  core::fill(space, value.span(), 0.0);
  return {A.rows,
          A.halo,
          {view.rows, view.columns, std::move(pattern.offsets), std::move(pattern.column), std::move(value)}};
}

/// Rows of other ranks that patterns can reach: a search in steps from the border of this rank, whose rows
/// are all above theirs. The first parameters.pattern_level steps go along the prefiltered matrix, growth
/// along A.
template <class Space>
std::vector<GlobalIndex> reached_ghosts(Space const& space, comm::DistCsr<double, Space> const& A,
                                        Parameters const& parameters, int depth) {
  auto const begin = A.rows.begin();
  comm::DistCsr<double, Space> filtered;
  bool const filters = parameters.prefilter > 0 && parameters.pattern_level > 1 && depth > 1;
  if (filters) filtered = prefiltered(space, A, parameters.prefilter);
  auto known = lower_ghosts(A.halo.ghosts(), begin);
  auto newest = known;
  for (int step = 2; step <= depth; ++step) {
    bool const along_filtered = filters && step <= parameters.pattern_level;
    if (filters && step == parameters.pattern_level + 1)
      newest = known;  // A has steps that have not been taken
    if (!A.rows.comm().any(!newest.empty())) break;
    auto const& matrix = along_filtered ? filtered : A;
    auto const rows =
        comm::extend_rows(space, matrix, comm::HaloPlan<Space>(space, A.rows, std::move(newest)));
    auto const met = lower_ghosts(rows.columns.ghosts(), begin);
    newest.clear();
    std::set_difference(met.begin(), met.end(), known.begin(), known.end(), std::back_inserter(newest));
    std::vector<GlobalIndex> all;
    std::merge(known.begin(), known.end(), newest.begin(), newest.end(), std::back_inserter(all));
    known = std::move(all);
  }
  return known;
}

template <class Space>
LowerMatrix<Space>::LowerMatrix(Space const& space, comm::DistCsr<double, Space> const& A,
                                Parameters const& parameters) {
  auto const& comm = A.rows.comm();
  int depth = parameters.pattern_level + parameters.adaptive_steps;
  if (parameters.ghost_depth >= 0) depth = std::min(depth, parameters.ghost_depth);
  if (comm.size() > 1 && depth > 0) ghosts_ = reached_ghosts(space, A, parameters, depth);
  has_ghosts_ = comm.any(!ghosts_.empty());
  if (has_ghosts_) {
    wanted_ = comm::HaloPlan<Space>(space, A.rows, ghosts_);
    extended_ = comm::extend_rows(space, A, wanted_);
  }
  arrange(space, A);
}

template <class Space>
void LowerMatrix<Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A) {
  if (has_ghosts_) comm::refresh_extended_rows(space, A, wanted_, extended_);
  arrange(space, A);
}

template <class Space>
void LowerMatrix<Space>::return_rows() {
  own_ = {};
  view_ = {};
  extended_.return_rows();
}

template <class Space>
void LowerMatrix<Space>::arrange(Space const& space, comm::DistCsr<double, Space> const& A) {
  auto const source = has_ghosts_ ? extended_.local.view() : A.local.view();
  if (A.halo.ghost_count() == 0 && ghosts_.empty() &&
      core::sum(space, source.rows, DescendingBody{source}) == 0) {
    view_ = source;
    return;
  }
  auto const& foreign = has_ghosts_ ? extended_.columns.ghosts() : A.halo.ghosts();
  std::vector<Index> place;
  for (auto const c : foreign) {
    auto const at = std::lower_bound(ghosts_.begin(), ghosts_.end(), c);
    place.push_back(at != ghosts_.end() && *at == c ? static_cast<Index>(at - ghosts_.begin()) : -1);
  }
  auto const ghost_column = core::to_space(space, place);
  auto const rows = static_cast<std::size_t>(source.rows);
  own_ = {source.rows, source.rows, Array<Offset, Space>(space, rows + 1), {}, {}};
  ArrangeBody body{source,
                   static_cast<Index>(ghosts_.size()),
                   A.rows.local_size(),
                   ghost_column.view(),
                   own_.offsets.data(),
                   nullptr,
                   nullptr};
  sparse::count_entries(space, source.rows, source.column.size(), body);
  auto const entries = core::exclusive_scan(space, own_.offsets.span().part(0, rows), own_.offsets.span());
  own_.column = Array<Index, Space>(space, entries);
  own_.value = Array<double, Space>(space, entries);
  Array<Offset, Space> origin(space, entries);
  body.column = own_.column.data();
  body.origin = origin.data();
  sparse::take_entries(space, source.rows, source.column.size(), body);
  core::for_each(
      space, rows,
      SortRowBody{own_.offsets.view(), own_.column.span(), origin.span(), source.value, own_.value.span()});
  view_ = own_.view();
}

}  // namespace Tessera::fsai
