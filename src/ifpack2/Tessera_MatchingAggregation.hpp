#pragma once
/// \file
/// Aggregation by compatible weighted matching as an Ifpack2-style preconditioner; the bodies are in the
/// library.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// Aggregates by compatible weighted matching (Bernaschi, D'Ambra, Pasquini 2019), with smoothed
/// prolongators, for symmetric positive (semi)definite matrices: no strength of connection has to be chosen;
/// the near-nullspace's first vector decides which couplings count. One cycle from zero is M^-1, as for
/// SmoothedAggregation. The matrix is any fill-complete Tpetra::RowMatrix with equal row, domain and range
/// maps, contiguous or not; ranks without rows are fine.
///
/// \code
/// Tessera::MatchingAggregation<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md
/// M.initialize();
/// M.compute();             // again after A's values have changed: aggregates and patterns are kept
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class MatchingAggregation : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::MatchingAggregation";
  /// A may be null; setMatrix() then comes before initialize().
  explicit MatchingAggregation(Teuchos::RCP<MatrixType const> const& A) : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
