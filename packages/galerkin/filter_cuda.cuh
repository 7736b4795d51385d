#pragma once
/// \file
/// The filtered diagonal on CUDA, as a row product whose terms are what an entry adds.
#include "galerkin/filter_body.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::galerkin {

struct FilteredSums {
  double a_ii = 0, dropped = 0, count = 0;  ///< the last of what is dropped
  TESSERA_HD FilteredSums& operator+=(FilteredSums const& other) {
    a_ii += other.a_ii;
    dropped += other.dropped;
    count += other.count;
    return *this;
  }
};

template <class Body>
struct FilterEntry {
  Body body;
  TESSERA_HD FilteredSums term(Index i, Offset k, double a, Index c) const {
    if (c == i) return {a, 0, 0};
    return body.filters(i) && !body.entries.is_strong(k) ? FilteredSums{0, a, 1} : FilteredSums{};
  }
};

template <class Body>
struct FinishFiltered {
  Body body;
  TESSERA_HD void operator()(Index i, FilteredSums const& sums) const {
    body.finish({i, body.filters(i), sums.a_ii, sums.dropped, sums.count > 0});
  }
};

template <class Body>
void filter_rows(Cuda const& space, Index, Body const& body) {
  sparse::for_each_row_product(space, body.entries.A, FilterEntry<Body>{body}, FinishFiltered<Body>{body});
}

}  // namespace Tessera::galerkin
