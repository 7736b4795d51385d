#pragma once
/// \file
/// A factored sparse approximate inverse as an Ifpack2-style preconditioner.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// M^-1 = G^T G with a sparse lower triangular G that makes G A G^T nearly the identity (Bernaschi, Bisson,
/// Fantozzi, Janna 2016), for symmetric positive definite matrices. No levels, no coarse solver: two products
/// an application. The matrix is any fill-complete Tpetra::RowMatrix with equal row, domain and range maps,
/// contiguous or not. Ranks may have no rows.
///
/// \code
/// Tessera::Fsai<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md, `fsai: ...`
/// M.initialize();
/// M.compute();             // call again after A's values have changed; keeps the pattern
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class Fsai : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::Fsai";
  /// A may be null; then call setMatrix() before initialize().
  explicit Fsai(Teuchos::RCP<MatrixType const> const& A) : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
