#pragma once
/// \file
/// How the triple product is made.
#include "galerkin/block_product_body.hpp"
#include "galerkin/coarse_assembly_driver.hpp"
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

/// Whether the places of P^T's entries in P are looked for at a first refresh rather than kept.
template <class Space>
constexpr bool finds_sources = false;
template <>
inline constexpr bool finds_sources<Cuda> = true;

template <class Space>
sparse::CsrView<double> TripleProduct<Space>::rows_of(comm::DistCsr<double, Space> const& P) const {
  return distributed_ ? extended_P_.local.view() : P.local.view();
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
  core::for_each(space, C.rows / vectors_,
                 DecoupleBody{C, diagonal_.view(), vectors_, coarse_.local.value.span()});
}

template <class Space>
TripleProduct<Space>::TripleProduct(Space const& space, comm::DistCsr<double, Space> const& A,
                                    comm::DistCsr<double, Space> const& P, sparse::SpgemmMethod method,
                                    int vectors, sparse::RefreshPreparation preparation)
    : method_(method), vectors_(vectors), distributed_(A.rows.comm().size() > 1) {
  bool const prepares_all = preparation == sparse::RefreshPreparation::all;
  if (distributed_) extended_P_ = comm::extend_rows(space, P, A.halo);
  comm::together(A.rows.comm(), [&] {
    restriction_ = sparse::transpose(space, P.local.view());
    if (finds_sources<Space> && !in_blocks() && !prepares_all) restriction_.source = {};
    auto const R = restriction_.matrix.view();
    auto& partial = distributed_ ? partial_ : coarse_.local;
    if (in_blocks()) {
      blocks_ = BlockProduct<Space>(space, A.local.view(), rows_of(P), R, vectors, partial);
      blocks_.multiply(space, A.local.view(), rows_of(P).value, restriction_, P.local.value.view(), partial);
    } else {
      auto chain = sparse::spgemm_chain(space, P.local.view(), restriction_, A.local.view(), rows_of(P),
                                        method, preparation);
      partial = std::move(chain.product);
      plan_ = std::move(chain.plan);
    }
  });
  if (distributed_) {
    assembly_ = CoarseAssembly<Space>(space, P.halo, extended_P_.columns, partial_.view(), coarse_);
  } else {
    coarse_.rows = P.columns();
    coarse_.halo = comm::HaloPlan<Space>(space, P.columns(), {});
  }
  add_up(space);
  return_temporaries();
  if (!prepares_all) diagonal_ = {};
  if (preparation == sparse::RefreshPreparation::none) {
    extended_P_ = {};
    blocks_ = {};
    plan_ = {};
    partial_ = {};
    assembly_ = {};
  }
}

template <class Space>
void TripleProduct<Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                   comm::DistCsr<double, Space> const& P) {
  coarse_.local.value = Array<double, Space>(space, coarse_.local.column.size());
  if (distributed_) {
    partial_.value = Array<double, Space>(space, partial_.column.size());
    comm::refresh_extended_rows(space, P, A.halo, extended_P_);
  }
  auto& partial = distributed_ ? partial_ : coarse_.local;
  comm::together(A.rows.comm(), [&] {
    if (in_blocks()) {
      sparse::refresh_transpose(space, P.local.view(), restriction_);
      blocks_.multiply(space, A.local.view(), rows_of(P).value, restriction_, P.local.value.view(), partial);
    } else {
      sparse::refresh_chain(space, P.local.view(), restriction_, A.local.view(), rows_of(P), method_, plan_,
                            partial);
    }
  });
  add_up(space);
  return_temporaries();
}

template <class Space>
bool TripleProduct<Space>::return_restriction() {
  return_restriction_values();
  if (in_blocks()) return false;
  restriction_.matrix = {};
  return true;
}

template <class Space>
void TripleProduct<Space>::return_temporaries() {
  extended_P_.return_rows();
  partial_.value = {};
}

template <class Space>
std::size_t TripleProduct<Space>::bytes() const {
  return extended_P_.bytes() + blocks_.bytes() + plan_.bytes() + restriction_.matrix.bytes() +
         restriction_.source.bytes() + partial_.bytes() + diagonal_.bytes() + assembly_.bytes() +
         coarse_.bytes();
}

template <class Space>
std::size_t TripleProduct<Space>::places_bytes() const {
  bool const from_setup = method_ == sparse::SpgemmMethod::esc;
  return (from_setup ? 0 : plan_.bytes()) + diagonal_.bytes() +
         (finds_sources<Space> ? restriction_.source.bytes() : 0);
}

}  // namespace Tessera::galerkin
