#pragma once
/// \file
/// Whether vectors are in the nullspace of an operator, whatever they and it are.
#include <BelosMultiVecTraits.hpp>
#include <BelosOperatorTraits.hpp>
#include <vector>

#include "krylov/rounding.hpp"

namespace Tessera::belos {

/// Of the columns of V, with those of B as right-hand sides; scales: rounding_scales() of V. Collective.
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
