#pragma once
/// \file
/// A factored sparse approximate inverse as an Ifpack2-style preconditioner.
#include "Tessera_Details_Preconditioner_decl.hpp"

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
class Fsai : public Details::Preconditioner<MatrixType> {
 public:
  using Base = Details::Preconditioner<MatrixType>;

  static_assert(
      std::is_same<MatrixType, Tpetra::RowMatrix<double, int, long long>>::value,
      "Tessera is compiled for Tpetra::RowMatrix<double, int, long long> and the default node only.");

  /// A may be null; setMatrix() then comes before initialize().
  explicit Fsai(Teuchos::RCP<typename Base::row_matrix_type const> const& A);
  ~Fsai() override;
};

}  // namespace Tessera
