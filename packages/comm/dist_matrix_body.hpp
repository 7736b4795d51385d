#pragma once
/// \file
/// Counts and products of DistCsr; storage, refresh and transposed product of stored distributed matrices.
#include "comm/fused_product.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::comm {

template <class T, class Space>
GlobalIndex global_nonzeros(DistCsr<T, Space> const& A) {
  return A.rows.comm().sum(GlobalIndex{A.local.nonzeros()});
}

template <class Space>
std::vector<GlobalIndex> global_columns(HaloPlan<Space> const& halo) {
  auto const& distribution = halo.distribution();
  std::vector<GlobalIndex> columns(distribution.local_size());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = distribution.begin() + i;
  columns.insert(columns.end(), halo.ghosts().begin(), halo.ghosts().end());
  return columns;
}

template <class T, class Space>
void multiply(Space const& space, DistCsr<T, Space> const& A, Span<T const> x, Span<T> y) {
  Array<T, Space> ghosts(space, A.halo.ghost_count());
  A.halo.exchange(space, x, ghosts.span());
  auto const owned = A.columns().local_size();
  sparse::row_reduce(space, A.local.view(), sparse::OwnedAndGhosts<T>{x.data(), ghosts.data(), owned},
                     sparse::StoreProduct<T>{y.data()});
}

/// 1 for rows with a ghost column. Few rows have one, so that the loop's exit is easy to predict.
struct MarkGhostRows {
  Span<Offset const> offsets;
  Span<Index const> column;
  Index owned;
  Span<unsigned char> mark;
  TESSERA_HD void operator()(Index row) const {
    bool found = false;
    for (Offset k = offsets[row], end = offsets[row + 1]; !found && k < end; ++k) found = column[k] >= owned;
    mark[row] = found ? 1 : 0;
  }
};

struct HasMark {
  Span<unsigned char const> mark;
  unsigned char wanted;
  TESSERA_HD bool operator()(Index row) const { return mark[row] == wanted; }
};

struct Consecutive {
  Index first;
  Span<Index> list;
  TESSERA_HD void operator()(Index i) const { list[i] = first + i; }
};

/// Stores sums of rows; ghost rows follow the owned rows.
template <class T>
struct StoreOwnedOrGhost {
  T *sums, *ghosts;
  Index owned;
  TESSERA_HD void operator()(Index row, T sum) const {
    (row < owned ? sums[row] : ghosts[row - owned]) = sum;
  }
};

template <class Space>
RowSet<Space> marked_rows(Space const& space, Span<unsigned char const> mark, bool wanted) {
  Array<Index, Space> found(space, mark.size());
  auto const count = core::select(space, mark.size(),
                                  HasMark{mark, static_cast<unsigned char>(wanted ? 1 : 0)}, found.span());
  Span<Index const> const chosen(found.data(), count);
  return {false, core::copied(space, chosen, space)};
}

template <class Space>
RowSet<Space> consecutive_rows(Space const& space, Index first, Index count) {
  Array<Index, Space> list(space, count);
  core::for_each(space, count, Consecutive{first, list.span()});
  return {false, std::move(list)};
}

template <class T, class Space>
std::string DistStorage<T, Space>::formats() const {
  auto const& rows = halo_.distribution();
  std::string mine = format();
  std::vector<std::pair<std::string, GlobalIndex>> ranks;
  for (auto const& known : sparse::matrix_formats) {
    auto const count = rows.comm().sum(GlobalIndex{rows.local_size() > 0 && mine == known.first});
    if (count > 0) ranks.emplace_back(known.first, count);
  }
  if (ranks.empty()) return mine;
  if (ranks.size() == 1) return ranks.front().first;
  std::string text;
  for (auto const& [name, count] : ranks)
    text += core::message(text.empty() ? "" : ", ", name, " (", count, count == 1 ? " rank)" : " ranks)");
  return text;
}

template <class T, class Space>
void DistStorage<T, Space>::reserve_columns(Space const& space, int columns) const {
  auto const size = ghosts().size() * static_cast<std::size_t>(columns);
  halo_.reserve(space, sizeof(T) * static_cast<std::size_t>(columns));
  if (block_ghosts_ && block_ghosts_->size() < size) *block_ghosts_ = Array<T, Space>(space, size);
}

template <class T, class Space>
DistMatrix<T, Space>::DistMatrix(Space const& space, DistCsr<double, Space> const& A,
                                 StorageParameters const& parameters)
    : DistStorage<T, Space>(space, A.halo) {
  auto const view = A.local.view();
  auto const owned = A.columns().local_size();
  RowSet<Space> interior, boundary;
  if (A.halo.ghost_count() == 0) {
    interior.all = true;
  } else if (A.halo.is_one_launch(space, sizeof(T))) {
    this->one_launch_ = boundary.all = true;
  } else {
    Array<unsigned char, Space> mark(space, view.rows);
    core::for_each(space, mark.size(), MarkGhostRows{view.offsets, view.column, owned, mark.span()});
    interior = marked_rows(space, mark.view(), false);
    boundary = marked_rows(space, mark.view(), true);
  }
  this->stored_ = SplitRows<T, Space>(space, view, std::move(interior), std::move(boundary), parameters);
}

template <class T, class Space, class X>
void multiply(Space const& space, DistMatrix<T, Space> const& A, Span<X const> x, Span<X> y) {
  multiply_fused(space, A, x, sparse::StoreProduct<X>{y.data()});
}

template <class T, class Space>
DistTranspose<T, Space>::DistTranspose(Space const& space, DistCsr<double, Space> const& P,
                                       sparse::Transposed<double, Space> const& transposed,
                                       StorageParameters const& parameters)
    : DistStorage<T, Space>(space, P.halo) {
  auto const owned = P.columns().local_size();
  auto const ghosts = P.halo.ghost_count();
  this->one_launch_ = ghosts > 0 && P.halo.is_one_launch(space, sizeof(T));
  bool const all = ghosts == 0 || this->one_launch_;
  auto ghost_rows = all ? RowSet<Space>{} : consecutive_rows(space, owned, ghosts);
  auto own = all ? RowSet<Space>{true, {}} : consecutive_rows(space, 0, owned);
  this->stored_ =
      SplitRows<T, Space>(space, transposed.matrix.view(), std::move(ghost_rows), std::move(own), parameters);
}

template <class T, class Space, class X>
void multiply_transposed(Space const& space, DistTranspose<T, Space> const& R, Span<X const> r,
                         Span<X> r_coarse) {
  constexpr int columns = core::RowTraits<X>::columns;
  auto const& halo = R.halo();
  auto const ghosts = R.template ghosts_of<X>();
  auto const arrived = core::numbers(Span<X const>(ghosts));
  auto const x = sparse::OneVector<X>{r.data()};
  StoreOwnedOrGhost<X> const store{r_coarse.data(), ghosts.data(), halo.distribution().local_size()};
  auto const sum = [&](auto const& rows) { row_reduce(space, rows, x, store); };
  if (R.one_launch()) {
    R.stored().visit_second(sum);
    halo.begin_add(space, arrived, columns);
    return halo.end_add(space, core::numbers(r_coarse), columns);
  }
  if (!ghosts.empty()) R.stored().visit_first(sum);
  halo.begin_add(space, arrived, columns);
  halo.end_add(space, core::numbers(r_coarse), columns, [&] { R.stored().visit_second(sum); });
}

}  // namespace Tessera::comm

// Products with vectors and blocks, for dist_matrix.cpp.
#define TESSERA_PRODUCTS_OF(Space, T, ...)                                                                 \
  template void multiply(Space const&, DistMatrix<T, Space> const&, Span<__VA_ARGS__ const>,               \
                         Span<__VA_ARGS__>);                                                               \
  template void multiply_transposed(Space const&, DistTranspose<T, Space> const&, Span<__VA_ARGS__ const>, \
                                    Span<__VA_ARGS__>);
#define TESSERA_PRODUCTS(Space, T)                       \
  TESSERA_PRODUCTS_OF(Space, T, T)                       \
  TESSERA_PRODUCTS_OF(Space, T, core::Interleaved<T, 4>) \
  TESSERA_PRODUCTS_OF(Space, T, core::Interleaved<T, 8>)
