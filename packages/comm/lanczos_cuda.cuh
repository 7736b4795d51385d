#pragma once
/// \file
/// One step of Lanczos on CUDA; see lanczos_body.hpp.
#include "comm/lanczos_body.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::comm {

/// u, and the entries of A_F.
struct FilteredProduct {
  double const *u, *diagonal;
  Filter filter;
  bool in_float = false;  ///< Entries'
  TESSERA_HD double operator()(Index c) const { return u[c]; }
  /// Of A_F; 0 where it is left out.
  TESSERA_HD double entry(Index i, Offset k, double a, Index c) const {
    if (!filter.lumped.empty() && filter.lumped[i] != 0) {
      if (c == i) return rounded(diagonal[i]);
      if (filter.strong[k] == 0) return 0;
    }
    return rounded(a);
  }
  TESSERA_HD double rounded(double a) const {
    return in_float ? static_cast<double>(static_cast<float>(a)) : a;
  }
  TESSERA_HD double term(Index i, Offset k, double a, Index c) const { return entry(i, k, a, c) * u[c]; }
};

/// A row of A_F times u, and the sum of its absolute values.
struct SumAndAbsolute {
  double sum = 0, absolute = 0;
  TESSERA_HD SumAndAbsolute& operator+=(SumAndAbsolute const& other) {
    sum += other.sum;
    absolute += other.absolute;
    return *this;
  }
};

struct ProductAndAbsolute {
  FilteredProduct product;
  TESSERA_HD SumAndAbsolute term(Index i, Offset k, double a, Index c) const {
    double const entry = product.entry(i, k, a, c);
    return {entry * product.u[c], fabs(entry)};
  }
};

/// What a row adds to the reduction, from Operator's finish(row, sum[, absolute]).
template <class Operator, class Term>
struct StoreTerms {
  Operator of;
  Term* terms;
  TESSERA_HD void operator()(Index row, double sum) const { terms[row] = of.finish(row, sum, 0).dot; }
  TESSERA_HD void operator()(Index row, SumAndAbsolute const& sums) const {
    terms[row] = of.finish(row, sums.sum, sums.absolute);
  }
};

DotAndBound apply_operator(Cuda const& space, std::size_t n, ApplyOperator const& apply) {
  FilteredProduct const product{apply.u.data(), apply.diagonal.data(), apply.filter, apply.in_float};
  if (!apply.wants_bound) {
    Array<double, Cuda> terms(space, n);
    sparse::for_each_row_product(space, apply.A, product,
                                 StoreTerms<ApplyOperator, double>{apply, terms.data()});
    return {core::sum(space, n, core::fixed_tree::Load<double>{terms.data()}), 0};
  }
  Array<DotAndBound, Cuda> terms(space, n);
  sparse::for_each_row_product(space, apply.A, ProductAndAbsolute{product},
                               StoreTerms<ApplyOperator, DotAndBound>{apply, terms.data()});
  return core::reduce(space, n, core::fixed_tree::Load<DotAndBound>{terms.data()}, JoinDotAndBound{},
                      DotAndBound{});
}

}  // namespace Tessera::comm
