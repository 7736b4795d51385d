#pragma once
/// \file
/// What a solve came to, by what is known when its solver manager has returned.
#include "belos/indefinite_operator.hpp"
#include "belos/iterate.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "krylov/rounding.hpp"

namespace Tessera::belos {

/// Of one column; norms.
struct ColumnEvidence {
  double rhs = 0, residual = 0;  ///< ||b|| (1 where that is 0) and ||b - A x||
  double scale = 0;              ///< RoundingScale's norm; 0 where there is none
  double level = 0;              ///< RoundingScale's
  double row_error = 0;          ///< RoundingScale's, of b - A x
  double energy = 1;             ///< (b, x) over (|x|, |A| |x|)
  /// x: where b is out of the range of a singular A, solvers that do not notice let x grow along a nullspace;
  /// and b, which may be all of one.
  krylov::Direction solution, rhs_direction;
};

struct Evidence {
  std::vector<ColumnEvidence> columns;
  std::vector<krylov::Result> ours;        ///< of Tessera's conjugate gradients, the last run's
  std::string failure;                     ///< why the manager gave up, if it did
  bool by_sign = false;                    ///< it was that (r, M^-1 r) / (p, A p) is not positive
  IndefiniteOperator indefinite_operator;  ///< of a breakdown
};

/// Sets the outcome's status, reason, rounding level and backward error; relativeResidual and iterations
/// stand there already.
void conclude(Evidence const& evidence, KrylovChoice const& choice, SolveOutcome& outcome);

}  // namespace Tessera::belos
