#pragma once
/// \file
/// Products with A and |A| for operators of Tpetra and of Tessera, and the rounding scales that they give.
#include <BelosMultiVecTraits.hpp>
#include <BelosOperatorTraits.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"
#include "ifpack2/backend.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "krylov/rounding.hpp"

namespace Tessera::belos {

/// Y = A X, with long rows summed as Tessera's own products sum them. Collective.
void apply_matrix(Tpetra::Operator<> const& A, Tpetra::MultiVector<> const& X, Tpetra::MultiVector<>& Y);
void apply_matrix(ResidentOperator const& A, ResidentMultiVector const& X, ResidentMultiVector& Y);

using AnyWorkspace = ifpack2::OnAnySpace<krylov::Workspace>;

/// The scale of the rounding errors of b - A x, one for each column; empty if A is not a row matrix. R: the
/// residual that row errors are computed from, or null. workspace: for Tessera's vectors; null: a new one.
/// Collective.
std::vector<krylov::RoundingScale> rounding_scales(Tpetra::Operator<> const& A,
                                                   Tpetra::MultiVector<> const& B,
                                                   Tpetra::MultiVector<> const& X,
                                                   Tpetra::MultiVector<> const* R = nullptr,
                                                   AnyWorkspace* workspace = nullptr);
std::vector<krylov::RoundingScale> rounding_scales(ResidentOperator const& A, ResidentMultiVector const& B,
                                                   ResidentMultiVector const& X,
                                                   ResidentMultiVector const* R = nullptr,
                                                   AnyWorkspace* workspace = nullptr);

/// Dot products that show whether each column of V is in the nullspace of A, and its part of the right-hand
/// side in B; scales: rounding_scales() of V. Collective.
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
