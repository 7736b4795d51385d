#pragma once
/// \file
/// Classical AMG as an Ifpack2-style preconditioner; the bodies are in the library.
#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// Classical AMG: coarse vertices by PMIS (De Sterck, Yang, Heys 2006), matrix-based extended interpolation
/// (Li, Sjogreen, Yang 2021); for scalar symmetric positive (semi)definite matrices whose coefficients jump
/// by many orders of magnitude. One cycle from zero is M^-1, as for SmoothedAggregation. The matrix is any
/// fill-complete Tpetra::RowMatrix with equal row, domain and range maps, contiguous or not; ranks without
/// rows are fine.
///
/// \code
/// Tessera::ClassicalAmg<Tpetra::RowMatrix<>> M(A);
/// M.setParameters(list);   // docs/parameters.md
/// M.initialize();
/// M.compute();             // again after A's values have changed: coarse vertices and patterns are kept
/// problem.setRightPrec(Teuchos::rcpFromRef(M));
/// \endcode
template <class MatrixType = Tpetra::RowMatrix<>>
class ClassicalAmg : public Details::CompiledFor<MatrixType>::Base {
 public:
  static constexpr char const* name = "Tessera::ClassicalAmg";
  /// A may be null; setMatrix() then comes before initialize().
  explicit ClassicalAmg(Teuchos::RCP<MatrixType const> const& A) : Details::Preconditioner(name, A) {}
};

}  // namespace Tessera
