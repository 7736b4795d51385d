#pragma once
/// \file
/// The filtered diagonal on CUDA, as a row product whose terms are what an entry adds.
#include "galerkin/filter_body.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::galerkin {

/// What is zero but for one entry, and whether any other is dropped.
struct DiagonalAndCount {
  double a_ii = 0, count = 0;  ///< the second of what is dropped
  TESSERA_HD DiagonalAndCount& operator+=(DiagonalAndCount const& other) {
    a_ii += other.a_ii;
    count += other.count;
    return *this;
  }
};
using FilteredSums = sparse::PartlyOrdered<double, DiagonalAndCount>;  ///< the first of what is dropped

template <class Body>
struct FilterEntry {
  Body body;
  TESSERA_HD FilteredSums term(Index i, Offset k, double a, Index c) const {
    if (c == i) return {0, {a, 0}};
    return body.filters(i) && !body.entries.is_strong(k) ? FilteredSums{a, {0, 1}} : FilteredSums{};
  }
};

template <class Body>
struct FinishFiltered {
  Body body;
  TESSERA_HD void operator()(Index i, FilteredSums const& sums) const {
    body.finish({i, body.filters(i), sums.rest.a_ii, sums.ordered, sums.rest.count > 0});
  }
};

template <class Body>
void filter_rows(Cuda const& space, Index, Body const& body) {
  sparse::for_each_row_product(space, body.entries.A, FilterEntry<Body>{body}, FinishFiltered<Body>{body});
}

}  // namespace Tessera::galerkin
