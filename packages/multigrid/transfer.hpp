#pragma once
/// \file
/// From a level to the next and back, as the cycle does it. Each kind has
///
///     restrict(space, r, b)      b = P^T r, what other ranks add behind the own sum, by ascending rank
///     correct(space, e, x)       x += P e
///     restrict_bytes(), correct_bytes()    that these read of P, and write of ghosts
///     recordable(space)          whether they do nothing but enqueue work
///     bytes()                    that it holds
///
/// r, x: owned entries of the level; b, e: owned entries of the next level, where restriction leaves it.
/// Collective among neighbours; allocates nothing.
#include <memory>
#include <utility>
#include <variant>

#include "comm/fused_product.hpp"
#include "galerkin/aggregate_map.hpp"
#include "sparse/convert.hpp"

namespace Tessera::multigrid {

/// By P and P^T as they are stored.
template <class T, class Space>
class StoredTransfer {
 public:
  StoredTransfer(comm::DistMatrix<T, Space> prolongator, comm::DistTranspose<T, Space> restriction)
      : P(std::move(prolongator)), R(std::move(restriction)) {}

  comm::DistMatrix<T, Space> P;
  comm::DistTranspose<T, Space> R;

  void restrict(Space const& space, Span<T const> r, Span<T> b) const {
    comm::multiply_transposed(space, R, r, b);
  }
  void correct(Space const& space, Span<T const> e, Span<T> x) const {
    comm::multiply_fused(space, P, e, sparse::AddProduct<T>{x.data()});
  }
  std::size_t restrict_bytes() const { return R.product_bytes(); }
  std::size_t correct_bytes() const { return P.product_bytes(); }
  bool recordable(Space const& space) const { return P.halo().recordable(space, sizeof(T)); }
  std::size_t bytes() const { return P.bytes() + R.bytes(); }
};

/// Sums over the members of aggregates, row by row of the next level, in the order of the members.
template <class T>
struct SumMembersBody {
  Index const *first, *member;
  T const* value;  ///< of the tentative prolongator; null: ones
  int equations, vectors;
  T const* r;
  T* target;
  Index first_row;
  TESSERA_HD void operator()(Index k) const {
    Index const row = first_row + k, a = row / vectors;
    T sum = 0;
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

template <class T>
struct AddAggregateBody {
  Index const* aggregate;
  T const* value;  ///< null: ones
  int equations, vectors;
  T const *own, *ghost;
  Index owned;  ///< aggregates
  T* x;
  TESSERA_HD void operator()(Index i) const {
    Index const a = aggregate[equations == 1 ? i : i / equations];
    if (a < 0) return;
    T const* const e =
        a < owned ? own + static_cast<Offset>(a) * vectors : ghost + static_cast<Offset>(a - owned) * vectors;
    T sum = 0;
    if (value == nullptr) {
      sum = *e;
    } else {
      for (int c = 0; c < vectors; ++c) sum += value[static_cast<Offset>(i) * vectors + c] * e[c];
    }
    x[i] += sum;
  }
};

/// By the aggregates alone: P is the tentative prolongator, of which only the values are stored that are not
/// ones.
template <class T, class Space>
class AggregateTransfer {
 public:
  /// map: of tentative.
  AggregateTransfer(Space const& space, galerkin::Tentative<Space> const& tentative,
                    std::shared_ptr<galerkin::AggregateMap<Space> const> map)
      : map_(std::move(map)),
        equations_(tentative.equations),
        vectors_(tentative.vectors),
        indicator_(tentative.indicator),
        value_(space, tentative.value.size()),
        ghosts_(std::make_unique<Array<T, Space>>(
            space, static_cast<std::size_t>(map_->halo.ghost_count()) * vectors_)) {
    sparse::convert(space, tentative.value.view(), value_.span());
    map_->halo.reserve(space, sizeof(T) * vectors_);
  }

  void restrict(Space const& space, Span<T const> r, Span<T> b) const {
    auto const& halo = map_->halo;
    auto const own = b.size(), others = ghosts_->size();
    auto const sums = [&](Span<T> target, std::size_t first_row) {
      core::for_each(space, target.size(),
                     SumMembersBody<T>{map_->first.data(), map_->member.data(), values(), equations_,
                                       vectors_, r.data(), target.data(), static_cast<Index>(first_row)});
    };
    if (others > 0) sums(ghosts_->span(), own);
    halo.begin_add(space, ghosts_->view(), vectors_);
    halo.end_add(space, b, vectors_, [&] { sums(b, 0); });
  }
  void correct(Space const& space, Span<T const> e, Span<T> x) const {
    auto const& halo = map_->halo;
    halo.exchange(space, e, ghosts_->span(), vectors_);
    core::for_each(space, map_->aggregate.size() * equations_,
                   AddAggregateBody<T>{map_->aggregate.data(), values(), equations_, vectors_, e.data(),
                                       ghosts_->data(), halo.distribution().local_size(), x.data()});
  }
  std::size_t restrict_bytes() const { return map_->member.bytes() + map_->first.bytes() + value_.bytes(); }
  std::size_t correct_bytes() const { return map_->aggregate.bytes() + value_.bytes(); }
  bool recordable(Space const& space) const { return map_->halo.recordable(space, sizeof(T) * vectors_); }
  std::size_t bytes() const { return map_->bytes() + value_.bytes() + ghosts_->bytes(); }

 private:
  T const* values() const { return indicator_ ? nullptr : value_.data(); }

  std::shared_ptr<galerkin::AggregateMap<Space> const> map_;
  int equations_, vectors_;
  bool indicator_;
  Array<T, Space> value_;
  std::unique_ptr<Array<T, Space>> ghosts_;
};

template <class T, class Space>
using Transfer = std::variant<StoredTransfer<T, Space>, AggregateTransfer<T, Space>>;

}  // namespace Tessera::multigrid
