#pragma once
/// \file
/// Who is not positive definite, where conjugate gradients broke down.
#include <Teuchos_RCP.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "belos/rounding_scales.hpp"

namespace Tessera::belos {

/// Sums of one column of the residual r, with z = M^-1 r; without preconditioner z = r.
struct BreakdownSums {
  double rz = 0;          ///< (r, z), positive for a positive definite M
  double zz = 0, rw = 0;  ///< (z, z) and (r, M^-1 z), equal for a symmetric linear M
  double zAz = 0, rAr = 0;
  double z_scale = 0, r_scale = 0;  ///< (|z|, |A| |z|), by which the rounding of (z, A z) is measured
};

/// What these sums prove. A breakdown by (p, A p) <= 0 or (r, z) <= 0, which Belos' managers do not tell
/// apart, proves an indefinite A only where M is positive definite.
struct IndefiniteOperator {
  enum class Who { unknown, matrix, preconditioner, asymmetric_preconditioner };
  Who who = Who::unknown;
  BreakdownSums sums;  ///< of the column that says it; where none does, of the first
};

IndefiniteOperator indefinite_operator_of(std::vector<BreakdownSums> const& columns);

/// Why a solve broke down, in a sentence; empty where nothing is proved.
std::string text_of(IndefiniteOperator const& indefinite_operator);
/// Why one broke down by the sign of (r, M^-1 r) / (p, A p), where not even (r, M^-1 r) is known.
std::string text_of_either();

/// Whether this is a solver of Belos' that needs a symmetric positive definite preconditioner, by its name.
bool needs_definite_preconditioner(std::string const& solver);
/// And matrix.
bool needs_definite_matrix(std::string const& solver);

/// Four passes over A, and M^-1 twice. r: b - A x where the solve has ended. Collective.
template <class MV, class OP>
IndefiniteOperator find_indefinite_operator(OP const& A, Teuchos::RCP<OP const> const& M, MV const& R) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  using Operators = Belos::OperatorTraits<double, MV, OP>;
  int const count = Traits::GetNumberVecs(R);
  auto const Z = Traits::CloneCopy(R), W = Traits::Clone(R, count);
  auto const sum = [&](MV const& X, MV const& Y) {
    std::vector<double> all(static_cast<std::size_t>(count));
    Traits::MvDot(X, Y, all);
    return all;
  };
  if (!M.is_null()) Operators::Apply(*M, R, *Z);
  auto const rz = sum(R, *Z), zz = sum(*Z, *Z);
  if (M.is_null()) {
    Traits::Assign(R, *W);
  } else {
    Operators::Apply(*M, *Z, *W);
  }
  auto const rw = sum(R, *W);
  auto const energy = [&](MV const& V) {
    Operators::Apply(A, V, *W);
    return sum(V, *W);
  };
  auto const zAz = energy(*Z), rAr = energy(R);
  auto const z_scales = rounding_scales(A, *Z, *Z), r_scales = rounding_scales(A, R, R);
  std::vector<BreakdownSums> columns;
  for (std::size_t j = 0; j < rz.size(); ++j) {
    columns.push_back({rz[j], zz[j], rw[j], zAz[j], rAr[j], 0, 0});
    if (j < z_scales.size()) columns.back().z_scale = z_scales[j].energy;
    if (j < r_scales.size()) columns.back().r_scale = r_scales[j].energy;
  }
  return indefinite_operator_of(columns);
}

}  // namespace Tessera::belos
