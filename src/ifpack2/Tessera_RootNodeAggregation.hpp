#pragma once
/// \file
/// Root nodes as an Ifpack2-style preconditioner; the bodies are in the library.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// Root nodes (Manteuffel, Olson, Schroder, Southworth 2017): aggregates around roots, where prolongators are
/// one, and of small energy elsewhere (Olson, Schroder, Tuminaro 2011); for symmetric positive (semi)definite
/// matrices whose couplings are uneven: anisotropies, jumps, layers. One cycle from zero is M^-1, as for
/// SmoothedAggregation. The matrix is any fill-complete Tpetra::RowMatrix with equal row, domain and range
/// maps, contiguous or not; ranks without rows are fine.
///
/// \code
/// Tessera::RootNodeAggregation<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md
/// M.initialize();
/// M.compute();             // again after A's values have changed: aggregates and patterns are kept
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class RootNodeAggregation : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::RootNodeAggregation";
  /// A may be null; setMatrix() then comes before initialize().
  explicit RootNodeAggregation(Teuchos::RCP<MatrixType const> const& A) : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
