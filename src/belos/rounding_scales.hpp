#pragma once
/// \file
/// What the rounding errors of b - A x are measured by, for whatever A is, and what else can be said of it.
#include <BelosMultiVecTraits.hpp>
#include <BelosOperatorTraits.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "krylov/rounding.hpp"

namespace Tessera::belos {

/// One for each column; none where A has no rows to look at. R: what row errors are of, or null. Collective.
std::vector<krylov::RoundingScale> rounding_scales(Tpetra::Operator<> const& A,
                                                   Tpetra::MultiVector<> const& B,
                                                   Tpetra::MultiVector<> const& X,
                                                   Tpetra::MultiVector<> const* R = nullptr);
std::vector<krylov::RoundingScale> rounding_scales(ResidentOperator const& A, ResidentMultiVector const& B,
                                                   ResidentMultiVector const& X,
                                                   ResidentMultiVector const* R = nullptr);

/// Whether the columns of V are in the nullspace of A, whatever they and it are, with those of B as
/// right-hand sides; scales: rounding_scales() of V. Collective.
template <class MV, class OP>
std::vector<krylov::Direction> directions(OP const& A, MV const& V,
                                          std::vector<krylov::RoundingScale> const& scales, MV const& B) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  auto const columns = scales.size();
  std::vector<double> vv(columns), ww(columns), vw(columns), bv(columns);
  auto const W = Traits::Clone(V, static_cast<int>(columns));
  Belos::OperatorTraits<double, MV, OP>::Apply(A, V, *W);
  Traits::MvDot(V, V, vv);
  Traits::MvDot(*W, *W, ww);
  Traits::MvDot(V, *W, vw);
  Traits::MvDot(B, V, bv);
  std::vector<krylov::Direction> found;
  for (std::size_t j = 0; j < columns; ++j) found.push_back({vw[j], scales[j].energy, vv[j], ww[j], bv[j]});
  return found;
}

}  // namespace Tessera::belos
