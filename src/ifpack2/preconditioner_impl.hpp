#pragma once
/// \file
/// What a preconditioner does between the semantics that Ifpack2 asks for: parameters, import, setup,
/// refresh, staging, reports.
#include <memory>
#include <optional>

#include "core/timer.hpp"
#include "ifpack2/any_operator.hpp"
#include "ifpack2/refresh_policy.hpp"
#include "ifpack2/saved_setup.hpp"
#include "parameters/agreement.hpp"
#include "parameters/method.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

/// Holds the imported matrix and the operator made of it. Details::Preconditioner calls it in the right order
/// and with sound arguments. Everything but the parameters, the summary and the facts is collective.
class PreconditionerImpl {
 public:
  /// name: of one of parameters::methods().
  explicit PreconditionerImpl(std::string const& name);

  parameters::Settings const& settings() const { return settings_; }
  /// Takes a complete list; on an exception nothing has changed.
  void set_parameters(Teuchos::ParameterList const& list);
  Teuchos::RCP<Teuchos::ParameterList const> valid_parameters() const;
  /// Sets one of UserData. Without effect where there are no levels.
  void set_data(MultiVectorPointer UserData::*which, MultiVectorPointer const& vectors);

  /// Of setups to come.
  void set_level_observer(multigrid::LevelObserver const& observer) { level_comes_ = observer; }

  /// One that was told the same and has made nothing.
  std::unique_ptr<PreconditionerImpl> clone_config() const;

  /// Forgets everything that was made of a matrix and frees it.
  void reset();
  /// The matrix was exchanged. Whether compute() may be called without initialize(), since what was kept
  /// fits.
  bool adopt(tpetra::RowMatrix const& A);
  void initialize(tpetra::RowMatrix const& A);
  /// just_read: initialize() or adopt() was called right before, so that the values are those of A.
  void compute(tpetra::RowMatrix const& A, bool just_read);
  /// What compute() has made goes to a file of each rank (saved_setup.hpp).
  void save(std::string const& path);
  /// Instead of compute(), right behind initialize(). \throws core::InvalidInput where that is not what
  /// compute() would make here
  void load(std::string const& path);
  /// Refuses X and Y that are not spread over the ranks as the matrix' rows are. \throws core::InvalidInput,
  /// on all ranks where one has another number of rows. A map that was accepted once is known again by its
  /// address and costs nothing; ranks hand over the same map together, as Tpetra::Map::isSameAs takes for
  /// granted too.
  void require_rows(tpetra::MultiVector const& X, tpetra::MultiVector const& Y);
  /// Y = M^-1 X. They do not share memory, have equally many columns, and Y may hold NaN.
  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y);

  /// The near-nullspace vectors that coarse levels reproduce; null where there are no levels. Collective.
  MultiVectorPointer near_nullspace() const;
  // As Details::Preconditioner's.
  std::string last_compute() const;
  double reading_seconds() const;
  /// Whether M is a symmetric linear operator, so that its transpose can be applied; else CG is to be
  /// flexible.
  bool is_symmetric() const;
  /// Whether it is linear at all, which a K-cycle is not.
  bool is_linear() const;
  /// (key, value) of what description() says.
  std::vector<std::pair<std::string, std::string>> facts() const;
  /// M^-1 where it lies, to be used there; null if there is none.
  AnyOperator* placed() { return operator_.get(); }
  /// What describe() prints at this level of a preconditioner that is computed, on rank 0; collective.
  std::string report(Teuchos::EVerbosityLevel level);

 private:
  /// What of an earlier setup compute() used. anew: nothing, since refreshes had cost too many iterations.
  enum class Done { nothing, setup, refresh, reuse, anew, load };

  UserData data() const;
  /// What all ranks are to say alike. Which GPU is each rank's own affair.
  parameters::Said said(Teuchos::ParameterList const& list, UserData const& data) const;
  /// The same pattern. \throws tpetra::PatternChanged
  void read_values(tpetra::RowMatrix const& A);
  /// Brings imported_ up to A's values; a changed pattern resets everything.
  void take_values(tpetra::RowMatrix const& A);
  void compute_imported();
  /// saved: what it is made of; null: it is a setup.
  void make(core::Archive* saved = nullptr);
  /// For what a setup of the imported matrix is. Collective.
  SavedFor purpose() const;
  void apply_in_range(tpetra::MultiVector const& X, tpetra::MultiVector& Y);
  /// Calls work. What it throws of the matrix says from where rows count, and whether A is symmetric at all.
  template <class Work>
  void with_row_context(tpetra::RowMatrix const& A, Work const& work) const;
  /// Once, of a matrix for which conjugate gradients may run forever.
  void note_asymmetry(tpetra::RowMatrix const& A);
  void announce(int rank);
  void warn_staging(int rank) const;

  parameters::Method const& method_;
  Teuchos::ParameterList list_;  ///< the last one set
  parameters::Settings settings_;
  std::vector<std::string> notes_;  ///< warnings that compute() is to print
  UserData from_list_, from_setters_;
  parameters::Said said_;  ///< of list_ and data()
  std::optional<tpetra::ImportedMatrix> imported_;
  comm::Communicator comm_;  ///< of what was imported, and its maps
  Teuchos::RCP<tpetra::Map const> row_map_, column_map_;
  Teuchos::RCP<tpetra::Map const> map_of_X_, map_of_Y_;  ///< that require_rows() has accepted last
  tpetra::RowIds row_ids_;          ///< taken by initialize() for the next setup, where there are levels
  double largest_ = 0;              ///< entry of what was imported, in magnitude
  std::optional<Backend> backend_;  ///< chosen by initialize(), anew for other parameters
  std::unique_ptr<AnyOperator> operator_;
  bool setup_is_stale_ = false;  ///< parameters or user data have changed since the setup
  bool knows_asymmetry_ = false;
  bool keep_as_is_ = false;  ///< `reuse: type` = full, and the matrix was exchanged
  Done done_ = Done::nothing;
  RefreshPolicy refresh_policy_;
  core::PhaseTimes times_;
  multigrid::LevelObserver level_comes_;
};

}  // namespace Tessera::ifpack2
