#pragma once
/// \file
/// What a preconditioner of ours does between the semantics that Ifpack2 asks for.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace Tessera {
namespace multigrid {
struct HierarchyReport;
}
namespace ifpack2 {
class AnyOperator;
}
namespace Details {

/// The numerical part of a preconditioner. Details::Preconditioner calls it in the right order and with sound
/// arguments. Everything but the parameters, the summary and the facts is collective.
template <class MatrixType>
class Method {
 public:
  using row_matrix_type =
      Tpetra::RowMatrix<typename MatrixType::scalar_type, typename MatrixType::local_ordinal_type,
                        typename MatrixType::global_ordinal_type, typename MatrixType::node_type>;
  using multivector_type =
      Tpetra::MultiVector<typename MatrixType::scalar_type, typename MatrixType::local_ordinal_type,
                          typename MatrixType::global_ordinal_type, typename MatrixType::node_type>;

  virtual ~Method() = default;

  /// Takes a complete list; on an exception nothing has changed.
  virtual void setParameters(Teuchos::ParameterList const& list) = 0;
  virtual Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const = 0;
  virtual void setNearNullspace(Teuchos::RCP<multivector_type const> const& vectors) = 0;
  virtual void setCoordinates(Teuchos::RCP<multivector_type const> const& coordinates) = 0;

  /// Forgets everything that was made of a matrix and frees it.
  virtual void reset() = 0;
  /// The matrix was exchanged. Whether compute() may be called without initialize(), since what was kept
  /// fits.
  virtual bool adopt(row_matrix_type const& A) = 0;
  virtual void initialize(row_matrix_type const& A) = 0;
  /// just_read: initialize() or adopt() was called right before, so that the values are those of A.
  virtual void compute(row_matrix_type const& A, bool just_read) = 0;
  /// Refuses X and Y that are not spread over the ranks as the matrix' rows are. \throws core::InvalidInput,
  /// on all ranks where one has another number of rows. A map that was accepted once is known again by its
  /// address and costs nothing; ranks hand over the same map together, as Tpetra::Map::isSameAs takes for
  /// granted too.
  virtual void requireRows(multivector_type const& X, multivector_type const& Y) = 0;
  /// Y = M^-1 X. They do not share memory, have equally many columns, and Y may hold NaN.
  virtual void apply(multivector_type const& X, multivector_type& Y) = 0;

  /// The near-nullspace vectors that coarse levels reproduce; null where there are no levels. Collective.
  virtual Teuchos::RCP<multivector_type const> nearNullspace() const = 0;

  /// What of an earlier setup the last compute() has used: "nothing" (there was none yet), "setup" (nothing),
  /// or such as "refresh (aggregates kept)".
  virtual std::string lastCompute() const = 0;
  /// Seconds that reading Tpetra's matrices has taken so far on this rank, part of initialize() and
  /// compute().
  virtual double readingSeconds() const = 0;
  /// Whether M is a symmetric linear operator, so that its transpose can be applied; else CG is to be
  /// flexible.
  virtual bool isSymmetric() const = 0;
  virtual bool timeApply() const = 0;
  /// (key, value) of what description() says.
  virtual std::vector<std::pair<std::string, std::string>> facts() const = 0;
  /// Figures of the hierarchy that stands; null if there is none, or if what stands is none. Collective.
  virtual multigrid::HierarchyReport const* hierarchyReport() = 0;
  /// M^-1 where it lies, to be used there; null if there is none.
  virtual ifpack2::AnyOperator* inPlace() = 0;
  /// What describe() prints at this level of a preconditioner that is computed, on rank 0; collective.
  virtual std::string report(Teuchos::EVerbosityLevel level) = 0;
};

}  // namespace Details
}  // namespace Tessera
