#pragma once
/// \file
/// Transfers of vectors between a level and the next in the cycle. Each kind has
///
///     restrict(space, r, b)      b = P^T r; terms of other ranks are added after the own sum, by ascending
///     rank correct(space, e, x)       x += P e restrict_bytes(), correct_bytes()    bytes of P read and of
///     ghosts written recordable(space, columns) whether both only enqueue work reserve_columns(space,
///     columns)      allocates memory for blocks of this number of vectors bytes()                    in all
///
/// r, x: owned entries of the level. b, e: owned entries of the next level, before it moves to fewer ranks.
/// Vectors, or blocks (X: T, or core::Interleaved<T, k>). Collective among neighbours. restrict and correct
/// allocate nothing.
#include <memory>
#include <utility>
#include <variant>

#include "comm/fused_product.hpp"
#include "galerkin/aggregate_map.hpp"
#include "sparse/convert.hpp"

namespace Tessera::multigrid {

/// Transfers by stored P and P^T.
template <class T, class Space>
class StoredTransfer {
 public:
  StoredTransfer(comm::DistMatrix<T, Space> prolongator, comm::DistTranspose<T, Space> restriction)
      : P(std::move(prolongator)), R(std::move(restriction)) {}

  comm::DistMatrix<T, Space> P;
  comm::DistTranspose<T, Space> R;

  template <class X>
  void restrict(Space const& space, Span<X const> r, Span<X> b) const {
    comm::multiply_transposed(space, R, r, b);
  }
  template <class X>
  void correct(Space const& space, Span<X const> e, Span<X> x) const {
    comm::multiply_fused(space, P, e, sparse::AddProduct<X>{x.data()});
  }
  void reserve_columns(Space const& space, int columns) {
    P.reserve_columns(space, columns);
    R.reserve_columns(space, columns);
  }
  std::size_t restrict_bytes() const { return R.product_bytes(); }
  std::size_t correct_bytes() const { return P.product_bytes(); }
  bool recordable(Space const& space, int columns = 1) const {
    return P.halo().recordable(space, sizeof(T) * columns);
  }
  std::size_t bytes() const { return P.bytes() + R.bytes(); }
};

/// Sums over the members of aggregates, row by row of the next level, in the order of the members.
template <class T, class X>
struct SumMembersBody {
  Index const *first, *member;
  T const* value;  ///< of the tentative prolongator; null: ones
  int equations, vectors;
  X const* r;
  X* target;
  Index first_row;
  TESSERA_HD void operator()(Index k) const {
    Index const row = first_row + k, a = row / vectors;
    X sum{};
    for (Index p = first[a]; p < first[a + 1]; ++p) {
      if (value == nullptr) {
        sum += r[member[p]];
        continue;
      }
      auto i = static_cast<Offset>(member[p]) * equations;
      for (int q = 0; q < equations; ++q, ++i) sum += value[i * vectors + row % vectors] * r[i];
    }
    target[k] = sum;
  }
};

template <class T, class X>
struct AddAggregateBody {
  static constexpr int loop_steps = 2 * core::columns_of<X>;
  Index const* aggregate;
  T const* value;  ///< null: ones
  int equations, vectors;
  X const *own, *ghost;
  Index owned;  ///< aggregates
  X* x;
  TESSERA_HD void operator()(Index i) const {
    Index const a = aggregate[equations == 1 ? i : i / equations];
    if (a < 0) return;
    X const* const e =
        a < owned ? own + static_cast<Offset>(a) * vectors : ghost + static_cast<Offset>(a - owned) * vectors;
    X sum{};
    if (value == nullptr) {
      sum = *e;
    } else {
      for (int c = 0; c < vectors; ++c) sum += value[static_cast<Offset>(i) * vectors + c] * e[c];
    }
    x[i] += sum;
  }
};

/// Transfers by the aggregates, for P = T. Stores the values of T only if they are not ones.
template <class T, class Space>
class AggregateTransfer {
 public:
  /// map: the aggregate map of tentative.
  AggregateTransfer(Space const& space, galerkin::Tentative<Space> const& tentative,
                    std::shared_ptr<galerkin::AggregateMap<Space> const> map)
      : map_(std::move(map)),
        equations_(tentative.equations),
        vectors_(tentative.vectors),
        indicator_(tentative.indicator),
        value_(space, tentative.value.size()),
        ghosts_(std::make_unique<Array<T, Space>>(
            space, static_cast<std::size_t>(map_->halo.ghost_count()) * vectors_)),
        block_ghosts_(std::make_unique<Array<T, Space>>()) {
    sparse::convert(space, tentative.value.view(), value_.span());
    map_->halo.reserve(space, sizeof(T) * vectors_);
  }

  template <class X>
  void restrict(Space const& space, Span<X const> r, Span<X> b) const {
    auto const& halo = map_->halo;
    auto const own = b.size();
    auto const others = ghosts_of<X>();
    auto const sums = [&](Span<X> target, std::size_t first_row) {
      core::for_each(space, target.size(),
                     SumMembersBody<T, X>{map_->first.data(), map_->member.data(), values(), equations_,
                                          vectors_, r.data(), target.data(), static_cast<Index>(first_row)});
    };
    int const width = vectors_ * core::columns_of<X>;
    if (!others.empty()) sums(others, own);
    halo.begin_add(space, core::numbers(Span<X const>(others)), width);
    halo.end_add(space, core::numbers(b), width, [&] { sums(b, 0); });
  }
  template <class X>
  void correct(Space const& space, Span<X const> e, Span<X> x) const {
    auto const& halo = map_->halo;
    auto const ghosts = ghosts_of<X>();
    halo.exchange(space, core::numbers(e), core::numbers(ghosts), vectors_ * core::columns_of<X>);
    core::for_each(space, map_->aggregate.size() * equations_,
                   AddAggregateBody<T, X>{map_->aggregate.data(), values(), equations_, vectors_, e.data(),
                                          ghosts.data(), halo.distribution().local_size(), x.data()});
  }
  void reserve_columns(Space const& space, int columns) {
    map_->halo.reserve(space, sizeof(T) * vectors_ * columns);
    *block_ghosts_ = Array<T, Space>(space, ghosts_->size() * columns);
  }
  std::size_t restrict_bytes() const { return map_->member.bytes() + map_->first.bytes() + value_.bytes(); }
  std::size_t correct_bytes() const { return map_->aggregate.bytes() + value_.bytes(); }
  bool recordable(Space const& space, int columns = 1) const {
    return map_->halo.recordable(space, sizeof(T) * vectors_ * columns);
  }
  std::size_t bytes() const {
    return map_->bytes() + value_.bytes() + ghosts_->bytes() + block_ghosts_->bytes();
  }
  galerkin::AggregateMap<Space> const& map() const { return *map_; }
  int equations() const { return equations_; }
  int vectors() const { return vectors_; }
  /// Rows x vectors, row-major; empty: ones.
  Span<T const> value() const { return indicator_ ? Span<T const>() : value_.view(); }

 private:
  T const* values() const { return indicator_ ? nullptr : value_.data(); }
  template <class X>
  Span<X> ghosts_of() const {
    return core::rows_of_block<X>((core::columns_of<X> == 1 ? ghosts_ : block_ghosts_)->span(),
                                  ghosts_->size());
  }

  std::shared_ptr<galerkin::AggregateMap<Space> const> map_;
  int equations_, vectors_;
  bool indicator_;
  Array<T, Space> value_;
  std::unique_ptr<Array<T, Space>> ghosts_, block_ghosts_;
};

template <class T, class Space>
using Transfer = std::variant<StoredTransfer<T, Space>, AggregateTransfer<T, Space>>;

}  // namespace Tessera::multigrid
