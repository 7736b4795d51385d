#pragma once
/// \file
/// The triple product.
#include "galerkin/coarse_assembly_body.hpp"
#include "galerkin/product_entries.hpp"
#include "galerkin/triple_product.hpp"

namespace Tessera::galerkin {

template <class Space>
sparse::ChainOperands<Space> TripleProduct<Space>::operands(comm::DistCsr<double, Space> const& A,
                                                            comm::DistCsr<double, Space> const& P) const {
  return {P.local.view(), restriction_, A.local.view(),
          distributed_ ? extended_P_.local.view() : P.local.view(), blocks_};
}

template <class Space>
void TripleProduct<Space>::finish(Space const& space, Scales<Space> const& scales) {
  decoupling_.run(space, coarse_.local, blocks_.width, {scales.known(), scales.nullspace});
  extended_P_.release_rows();
  partial_.value = {};
}

template <class Space>
TripleProduct<Space>::TripleProduct(Space const& space, comm::DistCsr<double, Space> const& A,
                                    comm::DistCsr<double, Space> const& P, sparse::SpgemmMethod method,
                                    sparse::BlockShape const& blocks, bool keep, Scales<Space> const& scales,
                                    double most)
    : method_(method), blocks_(blocks), distributed_(!A.rows.on_one_rank_with(P.columns())) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    restriction_ = sparse::transpose(space, P.local.view());
    auto const n = static_cast<double>(P.columns().global_size());
    if (n * n <= most) return;
    double const entries = product_entries(space, A, P, restriction_.matrix.view(), blocks.width);
    if (entries > most) too_many_ = entries;
  });
  if (too_many_ > 0) return;
  if (distributed_) extended_P_ = comm::extend_rows(space, P, A.halo);
  comm::agree_on_errors(A.rows.comm(), [&] {
    sum_scale(space, restriction_.matrix.view(), scales);
    if (!keep) restriction_.source = {};
    (distributed_ ? partial_ : coarse_.local) =
        sparse::spgemm_chain(space, operands(A, P), method, keep ? &plan_ : nullptr);
  });
  if (distributed_) {
    add_up_scale(space, P.halo, scales);
    assembly_ = CoarseAssembly<Space>(space, P.halo, extended_P_.columns, partial_.view(), coarse_);
  } else {
    coarse_.rows = P.columns();
    coarse_.halo = comm::HaloPlan<Space>(space, P.columns(), {});
  }
  finish(space, scales);
  if (keep) return;
  extended_P_ = {};
  partial_ = {};
  decoupling_ = {};
  assembly_ = {};
}

template <class Space>
void TripleProduct<Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                   comm::DistCsr<double, Space> const& P, Scales<Space> const& scales) {
  coarse_.local.value = Array<double, Space>(space, coarse_.local.column.size());
  if (distributed_) {
    partial_.value = Array<double, Space>(space, partial_.column.size());
    comm::refresh_extended_rows(space, P, A.halo, extended_P_);
  }
  comm::agree_on_errors(A.rows.comm(), [&] {
    sparse::refresh_transpose(space, P.local.view(), restriction_);
    sum_scale(space, restriction_.matrix.view(), scales);
    sparse::refresh_chain(space, operands(A, P), method_, plan_, distributed_ ? partial_ : coarse_.local);
  });
  if (distributed_) {
    add_up_scale(space, P.halo, scales);
    assembly_.add(space, partial_.view(), coarse_);
  }
  finish(space, scales);
}

template <class Space>
std::size_t TripleProduct<Space>::bytes() const {
  return extended_P_.bytes() + plan_.bytes() + restriction_.matrix.bytes() + restriction_.source.bytes() +
         partial_.bytes() + decoupling_.bytes() + assembly_.bytes() + coarse_.bytes();
}

}  // namespace Tessera::galerkin
