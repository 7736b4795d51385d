#pragma once
/// \file
/// Aggregation by compatible weighted matching as an Ifpack2-style preconditioner.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// Aggregates by compatible weighted matching (Bernaschi, D'Ambra, Pasquini 2019), with smoothed
/// prolongators, for symmetric positive (semi)definite matrices: no parameter for strength of connection is
/// needed, because the near-nullspace's first vector decides which couplings are strong. One cycle from zero
/// is M^-1, as for SmoothedAggregation. The matrix is any fill-complete Tpetra::RowMatrix with equal row,
/// domain and range maps, contiguous or not. Ranks may have no rows.
///
/// \code
/// Tessera::MatchingAggregation<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md
/// M.initialize();
/// M.compute();             // call again after A's values have changed; keeps aggregates and patterns
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class MatchingAggregation : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::MatchingAggregation";
  /// A may be null; then call setMatrix() before initialize().
  explicit MatchingAggregation(Teuchos::RCP<MatrixType const> const& A) : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
