#pragma once
/// \file
/// Smoothed aggregation multigrid as an Ifpack2-style preconditioner.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// Smoothed aggregation (Bell, Dalton, Olson 2012) for symmetric positive (semi)definite matrices: one cycle
/// from zero is M^-1, which is linear except for K-cycles, and symmetric for V and W. The matrix is any
/// fill-complete Tpetra::RowMatrix with equal row, domain and range maps, contiguous or not. Ranks may have
/// no rows.
///
/// \code
/// Tessera::SmoothedAggregation<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md
/// M.initialize();
/// M.compute();             // call again after A's values have changed; keeps aggregates and patterns
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class SmoothedAggregation : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::SmoothedAggregation";
  /// A may be null; then call setMatrix() before initialize().
  explicit SmoothedAggregation(Teuchos::RCP<MatrixType const> const& A) : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
