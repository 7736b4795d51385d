#pragma once
/// \file
/// One step of Lanczos on CUDA; see lanczos_body.hpp.
#include "comm/lanczos_body.hpp"
#include "sparse/row_pass_cuda.cuh"
#include "sparse/row_products.hpp"

namespace Tessera::comm {

/// ApplyOperator entry by entry. What a row adds to the reduction is written down first.
struct StagedOperator {
  struct Entry {
    double a, u;
    Index column;
    bool kept;  ///< in a lumped row
  };
  struct Sums {
    double sum, absolute;
    double diagonal, previous, u;
    Index row;
    bool lumped;
  };
  ApplyOperator of;
  DotAndBound* terms;

  __device__ Entry load(Offset k) const {
    Index const c = of.A.column[k];
    return {of.A.value[k], of.u.data()[c], c, of.filter.strong.empty() || of.filter.strong[k] != 0};
  }
  __device__ Sums start(Index row) const {
    return {0,
            0,
            of.diagonal[row],
            of.previous[row],
            of.u[row],
            row,
            !of.filter.lumped.empty() && of.filter.lumped[row] != 0};
  }
  __device__ void add(Sums& sums, Entry const& entry) const {
    double a = entry.a;
    if (sums.lumped) {
      if (entry.column == sums.row) {
        a = sums.diagonal;
      } else if (!entry.kept) {
        return;
      }
    }
    sums.sum += a * entry.u;
    sums.absolute += fabs(a);
  }
  __device__ void finish(Index row, Sums const& sums) const {
    terms[row] = of.finish(row, sums.sum, sums.absolute, sums.diagonal, sums.previous, sums.u);
  }
};

/// What a row of A itself adds, when the bound is known; its sum comes from the product's kernel.
struct StoreDot {
  ApplyOperator of;
  double* terms;
  TESSERA_HD void operator()(Index row, double sum) const {
    terms[row] = of.finish(row, sum, 0, of.diagonal[row], of.previous[row], of.u[row]).dot;
  }
};

DotAndBound apply_operator(Cuda const& space, std::size_t n, ApplyOperator const& apply) {
  if (!apply.wants_bound && apply.filter.lumped.empty()) {
    Array<double, Cuda> terms(space, n);
    sparse::for_each_row_product(space, apply.A, sparse::OneVector<double>{apply.u.data()},
                                 StoreDot{apply, terms.data()});
    return {core::sum(space, n, core::fixed_tree::Load<double>{terms.data()}), 0};
  }
  Array<DotAndBound, Cuda> terms(space, n);
  sparse::for_each_row_pass(space, apply.A.offsets, static_cast<Index>(n), apply.A.value.size(),
                            StagedOperator{apply, terms.data()});
  return core::reduce(space, n, core::fixed_tree::Load<DotAndBound>{terms.data()}, JoinDotAndBound{},
                      DotAndBound{});
}

}  // namespace Tessera::comm
