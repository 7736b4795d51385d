#pragma once
/// \file
/// What all preconditioners of Tessera have in common: the semantics of Ifpack2::Preconditioner.
#include <Ifpack2_Details_CanChangeMatrix.hpp>
#include <Ifpack2_Preconditioner.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <functional>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Tessera {
namespace multigrid {
struct HierarchyReport;
}
namespace ifpack2 {
class AnyOperator;
class PreconditionerImpl;
}  // namespace ifpack2
namespace Details {

/// Base of SmoothedAggregation and its sisters.
///
/// Tessera is compiled ahead of time for one choice of template arguments, Tpetra::RowMatrix<double, int,
/// long long, default node>; any other is refused at compile time (CompiledFor).
class Preconditioner
    : virtual public Ifpack2::Preconditioner<double, int, long long, Tpetra::Map<>::node_type>,
      virtual public Ifpack2::Details::CanChangeMatrix<Tpetra::RowMatrix<double, int, long long>> {
 public:
  using scalar_type = double;
  using local_ordinal_type = int;
  using global_ordinal_type = long long;
  using node_type = Tpetra::Map<>::node_type;
  using map_type = Tpetra::Map<local_ordinal_type, global_ordinal_type, node_type>;
  using row_matrix_type = Tpetra::RowMatrix<scalar_type, local_ordinal_type, global_ordinal_type, node_type>;
  using multivector_type =
      Tpetra::MultiVector<scalar_type, local_ordinal_type, global_ordinal_type, node_type>;

  Preconditioner(Preconditioner const&) = delete;
  Preconditioner& operator=(Preconditioner const&) = delete;
  ~Preconditioner() override;

  /// The list is a complete snapshot: what it does not say has its default. The entries are marked used. What
  /// changes takes effect at the next compute(). On an exception the parameters are those from before.
  /// \throws core::InvalidInput (a std::invalid_argument), core::Unavailable (a std::runtime_error)
  void setParameters(Teuchos::ParameterList const& list) override;
  /// Names, defaults, validators and documentation.
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const;

  /// Vectors that coarse levels are to reproduce, on the matrix' row map; null: constants, or the rigid-body
  /// modes of the coordinates. "user data" -> "Nullspace" of the parameters goes before. For the next
  /// compute().
  void setNearNullspace(Teuchos::RCP<multivector_type const> const& vectors);
  /// Where the nodes are: one row for each node of this rank, one column for each dimension. "user data" ->
  /// "Coordinates" of the parameters goes before. For the next compute().
  void setCoordinates(Teuchos::RCP<multivector_type const> const& coordinates);
  /// What the nodes are made of, for `aggregation: distance laplacian metric` = material: a row a node; one
  /// column, what conducts there, or the tensor of dimension^2 columns, row by row. "user data" -> "Material"
  /// of the parameters goes before. For the next compute().
  void setMaterial(Teuchos::RCP<multivector_type const> const& material);

  /// Called on each rank by setups to come where a level's matrix is there: the level's number, its rows and
  /// entries, of all ranks. Null: nobody asks.
  void setLevelObserver(std::function<void(int, long long, long long)> const& observer);

  /// Another matrix: afterwards neither initialized nor computed. The same pointer: nothing happens. Null:
  /// memory is freed.
  void setMatrix(Teuchos::RCP<row_matrix_type const> const& A) override;
  Teuchos::RCP<row_matrix_type const> getMatrix() const override { return matrix_; }

  /// Reads the matrix' structure; forgets any earlier state. Collective. \throws std::runtime_error without
  /// matrix
  void initialize() override;
  /// Makes the preconditioner, after initialize() if that was not called. Called again, for changed values on
  /// the same pattern, it keeps whatever depends on the pattern. Collective. If it throws, it does so on all
  /// ranks, and the preconditioner is not computed.
  void compute() override;

  /// Writes what compute() has made to a file, or to one of each rank where there are several: rank 0 to
  /// `file`, rank r to `file` with ".r" behind it. What was there stays until all are written. Collective.
  /// \throws std::runtime_error when not computed; std::invalid_argument, on all ranks, when a file cannot be
  /// written, or parameters, vectors or the matrix' values have changed since compute()
  void save(std::string const& file) const;
  /// What save() has written, instead of compute(): M^-1 is bitwise the same, and compute() refreshes it.
  /// Parameters, vectors, matrix and ranks are as they were; the back end may be another. Collective.
  /// \throws std::runtime_error without matrix; std::invalid_argument, on all ranks, with what differs, or
  /// when the file is damaged: then nothing has changed
  void load(std::string const& file);
  bool isInitialized() const override { return is_initialized_; }
  bool isComputed() const override { return is_computed_; }

  /// Y = beta Y + alpha M^-1 X. X and Y may share memory; with beta = 0 what Y held does not matter.
  /// Collective. Calls from several threads take turns on one rank, with vectors of their own; on several
  /// ranks, whose messages would meet, and for all other functions, one thread at a time is to call.
  /// \throws std::runtime_error when not computed, or numbers of columns differ, or mode asks for
  /// a
  ///         transpose that there is not (hasTransposeApply); std::invalid_argument, on all ranks, when X or
  ///         Y has another number of rows than the matrix on one of them
  void apply(multivector_type const& X, multivector_type& Y, Teuchos::ETransp mode = Teuchos::NO_TRANS,
             scalar_type alpha = Teuchos::ScalarTraits<scalar_type>::one(),
             scalar_type beta = Teuchos::ScalarTraits<scalar_type>::zero()) const override;
  bool hasTransposeApply() const override;
  /// Whether M^-1 is a linear operator: all but K-cycles. Others want a flexible Krylov method.
  bool isLinear() const;

  Teuchos::RCP<map_type const> getDomainMap() const override;
  Teuchos::RCP<map_type const> getRangeMap() const override;
  /// \throws std::runtime_error without matrix
  Teuchos::RCP<Teuchos::Comm<int> const> getComm() const;

  int getNumInitialize() const override { return num_initialize_; }
  int getNumCompute() const override { return num_compute_; }
  int getNumApply() const override { return num_apply_; }
  double getInitializeTime() const override { return initialize_time_; }
  double getComputeTime() const override { return compute_time_; }
  double getApplyTime() const override { return apply_time_; }

  /// Sizes, complexities, checksums and times of the hierarchy, for programs that are built with Tessera
  /// (multigrid/hierarchy.hpp); null when not computed, and for what is no hierarchy. Collective.
  multigrid::HierarchyReport const* hierarchyReport() const;
  /// M^-1 where it lies, GPU or host, for programs that are built with Tessera (ifpack2/any_operator.hpp);
  /// null when not computed. Not collective.
  ifpack2::AnyOperator* inPlace() const;
  /// The vectors that coarse levels reproduce: as given, rigid-body modes of the coordinates, or constants.
  /// Null when not computed, and for what has no levels. Collective.
  Teuchos::RCP<multivector_type const> nearNullspace() const;
  /// What of an earlier setup the last compute() has used: "nothing" where there was none yet, "setup" where
  /// it began anew, or such as "refresh (aggregates kept)". Not collective.
  std::string lastCompute() const;
  /// Seconds that reading Tpetra's matrices has taken so far on this rank, part of initialize() and
  /// compute().
  double readingSeconds() const;
  /// One line, a YAML map in flow style. Not collective.
  std::string description() const override;
  /// Rank 0 prints a YAML map; VERB_LOW (the default) has the table of levels, VERB_MEDIUM parameters that
  /// are not defaults, VERB_HIGH times. Collective.
  void describe(Teuchos::FancyOStream& out,
                Teuchos::EVerbosityLevel level = Teuchos::Describable::verbLevel_default) const override;

 protected:
  /// name: of one of parameters::methods(). A may be null.
  Preconditioner(std::string const& name, Teuchos::RCP<row_matrix_type const> const& A);

 private:
  using Facts = std::vector<std::pair<std::string, std::string>>;

  void require_matrix(char const* function) const;
  void apply_checked(multivector_type const& X, multivector_type& Y, scalar_type alpha,
                     scalar_type beta) const;
  /// (key, value) of what description() and describe() say.
  Facts facts() const;

  std::string name_;
  Teuchos::RCP<row_matrix_type const> matrix_;
  std::unique_ptr<ifpack2::PreconditionerImpl> method_;
  bool is_initialized_ = false, is_computed_ = false;
  int num_initialize_ = 0, num_compute_ = 0;
  mutable int num_apply_ = 0;
  double initialize_time_ = 0, compute_time_ = 0;
  mutable double apply_time_ = 0;
  mutable std::mutex apply_mutex_;  ///< M^-1 has work vectors
};

/// The class that Tessera::Factory knows by this name, in any case; null where that is none of ours. A may be
/// null. Neither initialized nor computed.
Teuchos::RCP<Preconditioner> create(std::string const& name,
                                    Teuchos::RCP<Preconditioner::row_matrix_type const> const& A);
bool isOurs(std::string const& name);
/// Our names, for messages.
std::string ourNames();

/// Of the class that `multigrid algorithm` names, Tessera::SmoothedAggregation where it says nothing; with
/// these parameters, neither initialized nor computed. A may be null. old: taken, with A and the parameters,
/// where it is of that class; null: a new one. \throws as setParameters() does
Teuchos::RCP<Preconditioner> create(Teuchos::ParameterList const& list,
                                    Teuchos::RCP<Preconditioner::row_matrix_type const> const& A,
                                    Teuchos::RCP<Preconditioner> const& old = Teuchos::null);

/// The Stratimikos list that a factory's list is in, and null where its pointer does not know.
Teuchos::RCP<Teuchos::ParameterList> aroundList(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// A copy of a factory's list, in which levels are in double where it is that of a Stratimikos list which
/// names a solver that does not bear float, and does not say a precision. Stratimikos hands sublists over by
/// Teuchos::sublist, whose pointers hold on to the list above.
Teuchos::ParameterList resolveSolverDefaults(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// The row matrix with the template arguments of a matrix.
template <class Matrix>
using RowMatrixLike = Tpetra::RowMatrix<typename Matrix::scalar_type, typename Matrix::local_ordinal_type,
                                        typename Matrix::global_ordinal_type, typename Matrix::node_type>;

/// The base of the classes, which are templates as Ifpack2's are.
template <class MatrixType>
struct CompiledFor {
  static_assert(std::is_same<MatrixType, RowMatrixLike<MatrixType>>::value,
                "Tessera's classes are templated on Tpetra::RowMatrix, as Ifpack2's are: write "
                "Tessera::SmoothedAggregation<Tpetra::RowMatrix<...>>; a CrsMatrix can be passed to the "
                "constructor.");
  static_assert(
      std::is_same<MatrixType, Preconditioner::row_matrix_type>::value,
      "Tessera is compiled for Tpetra::RowMatrix<double, int, long long> and the default node only.");
  using Base = Preconditioner;
};

}  // namespace Details
}  // namespace Tessera
