#pragma once
/// \file
/// The base of all preconditioners of Tessera, with the semantics of Ifpack2::Preconditioner, and their
/// creation.
#include <Ifpack2_Details_CanChangeMatrix.hpp>
#include <Ifpack2_Preconditioner.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <cstdint>
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

/// Base of SmoothedAggregation, UnsmoothedAggregation, MatchingAggregation, RootNodeAggregation, ClassicalAmg
/// and Fsai.
///
/// Tessera is compiled ahead of time for one choice of template arguments, Tpetra::RowMatrix<double, int,
/// long long, default node>. Other arguments are compile errors (CompiledFor).
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

  /// Sets all parameters: parameters that the list lacks get their defaults. Marks the entries as used.
  /// Changes take effect at the next compute(). On an exception the parameters do not change. \throws
  /// core::InvalidInput (a std::invalid_argument), core::Unavailable (a std::runtime_error)
  void setParameters(Teuchos::ParameterList const& list) override;
  /// Names, defaults, validators and documentation.
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const;

  /// Vectors that coarse levels reproduce, on the matrix' row map; null: constants, or the rigid-body modes
  /// of the coordinates. "user data"
  /// -> "Nullspace" of the parameters takes precedence. For the next compute().
  void setNearNullspace(Teuchos::RCP<multivector_type const> const& vectors);
  /// Coordinates of nodes: one row for each node of this rank, one column for each dimension. "user data" ->
  /// "Coordinates" of the parameters takes precedence. For the next compute().
  void setCoordinates(Teuchos::RCP<multivector_type const> const& coordinates);
  /// Conductivities of nodes, for `aggregation: distance laplacian metric` = material. One row per node; one
  /// column for scalars, or dimension^2 columns for tensors, row by row. "user data" -> "Material" of the
  /// parameters takes precedence. For the next compute().
  void setMaterial(Teuchos::RCP<multivector_type const> const& material);

  /// Later setups call the observer on each rank after they have made a level's matrix, with the level's
  /// number and its global numbers of rows and entries. May be null.
  void setLevelObserver(std::function<void(int, long long, long long)> const& observer);

  /// Sets another matrix. Afterwards the preconditioner is neither initialized nor computed. Has no effect
  /// for the same pointer. Null frees memory.
  void setMatrix(Teuchos::RCP<row_matrix_type const> const& A) override;
  Teuchos::RCP<row_matrix_type const> getMatrix() const override { return matrix_; }

  /// Reads the matrix' structure and discards earlier setups. Collective. \throws std::runtime_error without
  /// matrix
  void initialize() override;
  /// Computes the preconditioner; calls initialize() if necessary. A further call, for changed values on the
  /// same pattern, keeps all that depends on the pattern only. Collective. If it throws, it throws on all
  /// ranks, and the preconditioner is not computed.
  void compute() override;

  /// Writes the setup to one file per rank: rank 0 to `file`, rank r to `file` followed by ".r". Earlier
  /// files stay until all are written. Collective. \throws std::runtime_error if not computed;
  /// std::invalid_argument, on all ranks, if a file cannot be written, or if parameters, vectors or the
  /// matrix' values have changed since compute()
  void save(std::string const& file) const;
  /// Loads a file of save(), instead of compute(). M^-1 is bitwise the same, and compute() refreshes it.
  /// Parameters, vectors, matrix and ranks must be the same; the back end may differ. Collective. \throws
  /// std::runtime_error without matrix; std::invalid_argument, on all ranks, with the difference, or if the
  /// file is damaged. After an exception nothing has changed
  void load(std::string const& file);
  bool isInitialized() const override { return is_initialized_; }
  bool isComputed() const override { return is_computed_; }

  /// Y = beta Y + alpha M^-1 X. X and Y may share memory; beta = 0 overwrites Y without reading it.
  /// Collective. On one rank, calls from several threads with their own vectors run one after the other. On
  /// several ranks, whose messages would mix, and for all other functions, only one thread at a time may
  /// call. \throws std::runtime_error if not computed, if numbers of columns differ, or if there is no
  /// transpose (hasTransposeApply); std::invalid_argument, on all ranks, if X or Y has another number of rows
  /// than the matrix on a rank
  void apply(multivector_type const& X, multivector_type& Y, Teuchos::ETransp mode = Teuchos::NO_TRANS,
             scalar_type alpha = Teuchos::ScalarTraits<scalar_type>::one(),
             scalar_type beta = Teuchos::ScalarTraits<scalar_type>::zero()) const override;
  bool hasTransposeApply() const override;
  /// Whether M^-1 is a linear operator. K-cycles are not, and need a flexible Krylov method.
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

  /// Sizes, complexities, checksums and times of the hierarchy, for programs built with Tessera
  /// (multigrid/reported_levels.hpp). Null if not computed or without levels. Collective.
  multigrid::HierarchyReport const* hierarchyReport() const;
  /// M^-1 on its space, GPU or host, for programs built with Tessera (ifpack2/any_operator.hpp). Null if not
  /// computed. Not collective.
  ifpack2::AnyOperator* inPlace() const;
  /// Until the result is destroyed, profilers see this thread's work in Tessera as regions of Kokkos, if it
  /// has a tool, and with `timer for phases` as Teuchos timers. The functions above and "TESSERA CG" call it.
  std::shared_ptr<void const> observeRegions() const;
  /// The number of the last successful compute() or load() among those of all preconditioners of the process;
  /// 0 if not computed. Not collective.
  std::uint64_t computeId() const { return is_computed_ ? compute_id_ : 0; }
  /// The vectors that coarse levels reproduce: the given ones, rigid-body modes of the coordinates, or
  /// constants. Null if not computed or without levels. Collective.
  Teuchos::RCP<multivector_type const> nearNullspace() const;
  /// How the last compute() made M^-1: "nothing" before the first one, "setup", or such as "refresh
  /// (aggregates kept)". Not collective.
  std::string lastCompute() const;
  /// Seconds spent so far on this rank to read Tpetra's matrices, in initialize() and compute().
  double readingSeconds() const;
  /// One line, a YAML map in flow style. Not collective.
  std::string description() const override;
  /// Rank 0 prints a YAML map. VERB_LOW (the default) prints the table of levels, VERB_MEDIUM also parameters
  /// that are not defaults, VERB_HIGH also times. Collective.
  void describe(Teuchos::FancyOStream& out,
                Teuchos::EVerbosityLevel level = Teuchos::Describable::verbLevel_default) const override;

 protected:
  /// name: Method::name of one of settings::methods(). A may be null.
  Preconditioner(std::string const& name, Teuchos::RCP<row_matrix_type const> const& A);

 private:
  using Facts = std::vector<std::pair<std::string, std::string>>;

  void require_matrix(char const* function) const;
  void count_compute();
  void apply_checked(multivector_type const& X, multivector_type& Y, scalar_type alpha,
                     scalar_type beta) const;
  /// (key, value) pairs for description() and describe().
  Facts facts() const;

  std::string name_;
  Teuchos::RCP<row_matrix_type const> matrix_;
  std::unique_ptr<ifpack2::PreconditionerImpl> impl_;
  bool is_initialized_ = false, is_computed_ = false;
  int num_initialize_ = 0, num_compute_ = 0;
  std::uint64_t compute_id_ = 0;
  mutable int num_apply_ = 0;
  double initialize_time_ = 0, compute_time_ = 0;
  mutable double apply_time_ = 0;
  mutable std::mutex apply_mutex_;                 ///< M^-1 has work vectors
  mutable Teuchos::RCP<multivector_type> result_;  ///< M^-1 X of the last apply() that added it to Y
};

/// A preconditioner of the class that has this name in Tessera::Factory, in any case; null for a name that is
/// not Tessera's. Neither initialized nor computed. A may be null.
Teuchos::RCP<Preconditioner> create(std::string const& name,
                                    Teuchos::RCP<Preconditioner::row_matrix_type const> const& A);
/// Whether a class of Tessera has this name.
bool isOurs(std::string const& name);
/// The names of Tessera's classes, for messages.
std::string ourNames();

/// A preconditioner of the class that `multigrid algorithm` names, by default Tessera::SmoothedAggregation,
/// with these parameters. Neither initialized nor computed. A may be null. old: reused with A and the
/// parameters if it is of that class; may be null. \throws as setParameters()
Teuchos::RCP<Preconditioner> create(Teuchos::ParameterList const& list,
                                    Teuchos::RCP<Preconditioner::row_matrix_type const> const& A,
                                    Teuchos::RCP<Preconditioner> const& old = Teuchos::null);

/// The Stratimikos list that contains a factory's list; null if the pointer does not refer to it.
Teuchos::RCP<Teuchos::ParameterList> aroundList(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// A copy of a factory's list with a precision that suits the solver. Levels are in double if the list is a
/// sublist of a Stratimikos list, names no precision, and the Stratimikos list names a solver that does not
/// support float. Stratimikos passes sublists by Teuchos::sublist, whose pointers refer to the outer list.
Teuchos::ParameterList resolveSolverDefaults(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// The row matrix with the template arguments of a matrix.
template <class Matrix>
using RowMatrixLike = Tpetra::RowMatrix<typename Matrix::scalar_type, typename Matrix::local_ordinal_type,
                                        typename Matrix::global_ordinal_type, typename Matrix::node_type>;

/// The base of the class templates; refuses other template arguments.
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
