#pragma once
/// \file
/// Unsmoothed aggregation with a K-cycle as an Ifpack2-style preconditioner.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// Unsmoothed aggregation (Brannick, Chen, Hu, Zikatanov 2013) for symmetric positive (semi)definite
/// matrices: coarse matrices that are sums over pairs of aggregates, transfers by the aggregates alone, and
/// one K-cycle from zero as M^-1, which is not linear: use flexible CG. Compared with smoothed aggregation,
/// setups are cheaper and iterations are more. The matrix is any fill-complete Tpetra::RowMatrix with equal
/// row, domain and range maps, contiguous or not. Ranks may have no rows.
///
/// \code
/// Tessera::UnsmoothedAggregation<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md
/// M.initialize();
/// M.compute();             // call again after A's values have changed; keeps aggregates and patterns
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class UnsmoothedAggregation : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::UnsmoothedAggregation";
  /// A may be null; then call setMatrix() before initialize().
  explicit UnsmoothedAggregation(Teuchos::RCP<MatrixType const> const& A)
      : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
