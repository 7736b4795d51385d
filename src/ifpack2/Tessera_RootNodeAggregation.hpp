#pragma once
/// \file
/// Root nodes as an Ifpack2-style preconditioner.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// Root nodes (Manteuffel, Olson, Schroder, Southworth 2017): aggregates around roots. Prolongators are one
/// at roots, and of small energy elsewhere (Olson, Schroder, Tuminaro 2011); for symmetric positive
/// (semi)definite matrices whose couplings are uneven: anisotropies, jumps, layers. One cycle from zero is
/// M^-1, as for SmoothedAggregation. The matrix is any fill-complete Tpetra::RowMatrix with equal row, domain
/// and range maps, contiguous or not. Ranks may have no rows.
///
/// \code
/// Tessera::RootNodeAggregation<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md
/// M.initialize();
/// M.compute();             // call again after A's values have changed; keeps aggregates and patterns
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class RootNodeAggregation : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::RootNodeAggregation";
  /// A may be null; then call setMatrix() before initialize().
  explicit RootNodeAggregation(Teuchos::RCP<MatrixType const> const& A) : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
