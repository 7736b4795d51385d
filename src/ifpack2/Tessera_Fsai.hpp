#pragma once
/// \file
/// A factored sparse approximate inverse as an Ifpack2-style preconditioner; the bodies are in the library.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// M^-1 = G^T G with a sparse lower triangular G that makes G A G^T nearly the identity (Bernaschi, Bisson,
/// Fantozzi, Janna 2016), for symmetric positive definite matrices. No levels, no coarse solver: two products
/// an application. The matrix is any fill-complete Tpetra::RowMatrix with equal row, domain and range maps,
/// contiguous or not; ranks without rows are fine.
///
/// \code
/// Tessera::Fsai<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md, `fsai: ...`
/// M.initialize();
/// M.compute();             // again after A's values have changed: the pattern is kept
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class Fsai : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::Fsai";
  /// A may be null; setMatrix() then comes before initialize().
  explicit Fsai(Teuchos::RCP<MatrixType const> const& A) : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
