#pragma once
/// \file
/// How the triple product is made.
#include "galerkin/coarse_assembly_body.hpp"
#include "galerkin/triple_product.hpp"

namespace Tessera::galerkin {

/// Where each row's diagonal entry is.
struct DiagonalPlaceBody {
  sparse::CsrView<double> A;
  Offset* diagonal;
  TESSERA_HD Offset begin(Index row) const { return A.offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return A.offsets[row + 1]; }
  TESSERA_HD void operator()(Index row, Offset k) const {
    if (A.column[k] == row) diagonal[row] = k;
  }
};

/// Gives the zero rows of one aggregate's unknowns the largest diagonal among them.
struct DecoupleBody {
  sparse::CsrView<double> A;
  Span<Offset const> diagonal;  ///< where it is, -1 for nowhere
  int vectors;
  Span<double> value;

  TESSERA_HD bool is_zero(Index row) const {
    for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
      if (A.value[k] != 0) return false;
    }
    return true;
  }
  TESSERA_HD void operator()(Index aggregate) const {
    double largest = 0;
    int dropped = 0;
    for (Index row = aggregate * vectors; row < (aggregate + 1) * vectors; ++row) {
      double const d = diagonal[row] < 0 ? 0.0 : A.value[diagonal[row]];
      if (d > largest) largest = d;
      if (d == 0) ++dropped;
    }
    if (dropped == 0) return;
    for (Index row = aggregate * vectors; row < (aggregate + 1) * vectors; ++row) {
      auto const k = diagonal[row];
      if (k >= 0 && A.value[k] == 0 && is_zero(row)) value[k] = largest > 0 ? largest : 1.0;
    }
  }
};

template <class Space>
sparse::ChainOperands<Space> TripleProduct<Space>::operands(comm::DistCsr<double, Space> const& A,
                                                            comm::DistCsr<double, Space> const& P) const {
  return {P.local.view(), restriction_, A.local.view(),
          distributed_ ? extended_P_.local.view() : P.local.view(), blocks_};
}

template <class Space>
void TripleProduct<Space>::add_up(Space const& space) {
  if (distributed_) assembly_.add(space, partial_.view(), coarse_);
  auto const C = coarse_.local.view();
  if (diagonal_.empty()) {
    diagonal_ = Array<Offset, Space>(space, C.rows);
    core::fill(space, diagonal_.span(), -1);
    sparse::for_each_entry(space, C.rows, C.column.size(), DiagonalPlaceBody{C, diagonal_.data()});
  }
  core::for_each(space, C.rows / blocks_.width,
                 DecoupleBody{C, diagonal_.view(), blocks_.width, coarse_.local.value.span()});
}

template <class Space>
TripleProduct<Space>::TripleProduct(Space const& space, comm::DistCsr<double, Space> const& A,
                                    comm::DistCsr<double, Space> const& P, sparse::SpgemmMethod method,
                                    sparse::MergeShape const& blocks, bool keep)
    : method_(method), blocks_(blocks), distributed_(A.rows.comm().size() > 1) {
  if (distributed_) extended_P_ = comm::extend_rows(space, P, A.halo);
  comm::agree_on_errors(A.rows.comm(), [&] {
    restriction_ = sparse::transpose(space, P.local.view());
    if (!keep) restriction_.source = {};
    (distributed_ ? partial_ : coarse_.local) =
        sparse::spgemm_chain(space, operands(A, P), method, keep ? &plan_ : nullptr);
  });
  if (distributed_) {
    assembly_ = CoarseAssembly<Space>(space, P.halo, extended_P_.columns, partial_.view(), coarse_);
  } else {
    coarse_.rows = P.columns();
    coarse_.halo = comm::HaloPlan<Space>(space, P.columns(), {});
  }
  add_up(space);
  return_temporaries();
  if (keep) return;
  extended_P_ = {};
  partial_ = {};
  diagonal_ = {};
  assembly_ = {};
}

template <class Space>
void TripleProduct<Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                   comm::DistCsr<double, Space> const& P) {
  coarse_.local.value = Array<double, Space>(space, coarse_.local.column.size());
  if (distributed_) {
    partial_.value = Array<double, Space>(space, partial_.column.size());
    comm::refresh_extended_rows(space, P, A.halo, extended_P_);
  }
  comm::agree_on_errors(A.rows.comm(), [&] {
    sparse::refresh_transpose(space, P.local.view(), restriction_);
    sparse::refresh_chain(space, operands(A, P), method_, plan_, distributed_ ? partial_ : coarse_.local);
  });
  add_up(space);
  return_temporaries();
}

template <class Space>
void TripleProduct<Space>::return_temporaries() {
  extended_P_.return_rows();
  partial_.value = {};
}

template <class Space>
std::size_t TripleProduct<Space>::bytes() const {
  return extended_P_.bytes() + plan_.bytes() + restriction_.matrix.bytes() + restriction_.source.bytes() +
         partial_.bytes() + diagonal_.bytes() + assembly_.bytes() + coarse_.bytes();
}

}  // namespace Tessera::galerkin
