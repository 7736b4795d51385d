#pragma once
/// \file
/// The implementation of a preconditioner below the semantics that Ifpack2 asks for: parameters, import,
/// setup, refresh, staging, reports, files.
///
/// A setup's files: rank 0 has the file that the user names, rank r one of this name followed by ".r". A file
/// is: 8 bytes that identify it; a number by which the order of bytes shows; the format's version; sizes of
/// the types; what it was saved for (SavedFor); the operator's arrays; a checksum of all that.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "comm/dist_csr.hpp"
#include "core/archive.hpp"
#include "core/timer.hpp"
#include "ifpack2/any_operator.hpp"
#include "ifpack2/user_data.hpp"
#include "parameters/agreement.hpp"
#include "parameters/method.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

/// Counts how often M^-1 is applied between one compute() and the next: as often as solves iterate. A refresh
/// keeps aggregates and patterns, which may fit the new values less than those of the setup. A setup costs
/// about as much as `allowed` iterations, or as half of what solves take after it, where that is more.
///
/// What the first refresh after a setup takes more than that, others do, too, whenever the setup was: where
/// it is more than a setup costs, all computes should be setups. Then 1, 3, 7, up to 15 follow before another
/// refresh is tried. Where it is less, only what later refreshes take more than the first counts. Once that
/// comes to what a setup costs, all together, the next compute() is one.
class RefreshPolicy {
 public:
  /// Whether the next compute() should be a setup. applications: of M^-1, all since its setup; allowed: 0 for
  /// any number.
  bool wants_setup(std::int64_t applications, std::int64_t allowed) {
    auto const here = applications - seen_;
    seen_ = applications;
    if (allowed == 0 || here == 0) return false;
    if (rests_left_ > 0) return true;
    if (fresh_ == 0) {
      fresh_ = here;
      return false;
    }
    auto const cost = std::max(allowed, fresh_ / 2);
    if (refreshed_ == 0) {
      refreshed_ = here;
      bool const hopeless = here - fresh_ >= cost;
      rests_ = hopeless ? std::min(2 * rests_ + 1, 15) : 0;
      rests_left_ = hopeless ? rests_ + 1 : 0;
      return hopeless;
    }
    refreshed_ = std::min(refreshed_, here);
    excess_ += here - refreshed_;
    return excess_ >= cost;
  }
  /// A setup was made, worn or not.
  void renew() {
    seen_ = fresh_ = refreshed_ = excess_ = 0;
    rests_left_ = std::max(0, rests_left_ - 1);
  }

 private:
  std::int64_t seen_ = 0;
  std::int64_t fresh_ = 0,
               refreshed_ = 0;      ///< after the setup; the fewest after a refresh of it; 0: none yet
  std::int64_t excess_ = 0;         ///< over refreshed_
  int rests_ = 0, rests_left_ = 0;  ///< setups that follow another without a refresh between
};

/// What a setup was made for, on one rank. It is loaded for the same only.
struct SavedFor {
  std::string version;        ///< Tessera's
  std::uint64_t save = 0;     ///< the same in all files that were saved together
  int ranks = 1, rank = 0;    ///< of how many, and which
  parameters::NamedSettings said;      ///< class and parameters, as far as they matter
  bool in_double = false;     ///< rather than float
  std::uint64_t pattern = 0;  ///< checksums: of the matrix' pattern and distribution on this rank
  std::string values;         ///< of the matrix' entries on all ranks
  std::uint64_t data = 0;     ///< of near-nullspace and coordinates on this rank

  void archive(core::Archive& file);
};

/// Parameters that say where a preconditioner runs, how it reports or when it is refreshed matter to nobody
/// who loads it.
parameters::NamedSettings parameters_of_setup(parameters::NamedSettings all);

/// Checksum of a rank's part: sizes, columns in their order, global ids of its rows.
std::uint64_t pattern_checksum(comm::DistCsr<double, Host> const& A, tpetra::RowIds const& row_ids);
std::uint64_t data_checksum(UserData const& data);

/// Writes what `body` archives, on all ranks or on none: where a rank fails, files that were there stay.
/// Collective. what.save is chosen here. \throws core::InvalidInput, on every rank, when a file cannot be
/// written
void write_setup(std::string const& path, comm::Communicator const& comm, SavedFor what,
                 std::function<void(core::Archive&)> const& body);

/// A file that was written, looked at from its beginning to its end before anything is taken from it.
class SavedSetup {
 public:
  /// Opens the files of all ranks, and compares them with each other and with what they are to be loaded for.
  /// Collective. \throws core::InvalidInput, on every rank, with what differs
  SavedSetup(std::string const& path, comm::Communicator const& comm, SavedFor const& wanted);

  SavedFor const& made_for() const { return made_for_; }
  /// What the preconditioner has.
  core::Archive& contents() { return *contents_; }

 private:
  void open(int rank);
  void require_fitting(SavedFor const& wanted) const;
  void read(void* memory, std::size_t bytes);
  /// instead: what else can be done, with an "or" behind it.
  [[noreturn]] void refuse(std::string const& why, std::string const& instead = {}) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;  ///< of this rank
  std::unique_ptr<std::FILE, Close> file_;
  SavedFor made_for_;
  std::unique_ptr<core::Archive> contents_;
};

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
  parameters::NamedSettings said(Teuchos::ParameterList const& list, UserData const& data) const;
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
  parameters::NamedSettings said_;  ///< of list_ and data()
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
