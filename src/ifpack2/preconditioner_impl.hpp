#pragma once
/// \file
/// The implementation of a preconditioner below the semantics that Ifpack2 asks for: parameters, import,
/// setup, refresh, staging, reports, files.
///
/// A setup's files: rank 0 has the file that the user names, rank r one of this name followed by ".r". A file
/// is: 8 bytes that identify it; a number by which the order of bytes shows; the format's version; sizes of
/// the types; the origin of the setup (SetupOrigin); the operator's arrays; a checksum of all that.
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
#include "ifpack2/system_matrix.hpp"
#include "ifpack2/user_data.hpp"
#include "parameters/agreement.hpp"
#include "settings/settings.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

/// Decides when a setup should replace refreshes. A refresh keeps aggregates and patterns, which may fit new
/// values less well. The policy counts applications of M^-1 between one compute() and the next, which are the
/// iterations of solves. A setup costs as much as `allowed` iterations, or as half of the iterations after
/// the setup if that is more.
///
/// The first refresh after a setup shows the excess of any refresh. If that excess is at least the cost of a
/// setup, all computes should be setups; then 1, 3, 7, up to 15 setups follow before the next attempt at a
/// refresh. If it is less, the policy sums the excess of later refreshes over the best refresh. Once the sum
/// reaches the cost of a setup, the next compute() is a setup.
class RefreshPolicy {
 public:
  /// Whether the next compute() should be a setup. applications: of M^-1 since its setup; allowed: 0: always
  /// refresh.
  bool wants_setup(std::int64_t applications, std::int64_t allowed) {
    auto const iterations = applications - counted_;
    counted_ = applications;
    if (allowed == 0 || iterations == 0) return false;
    if (setups_left_ > 0) return true;
    if (after_setup_ == 0) {
      after_setup_ = iterations;
      return false;
    }
    auto const cost = std::max(allowed, after_setup_ / 2);
    if (after_refresh_ == 0) {
      after_refresh_ = iterations;
      bool const unsuitable = iterations - after_setup_ >= cost;
      setups_in_a_row_ = unsuitable ? std::min(2 * setups_in_a_row_ + 1, 15) : 0;
      setups_left_ = unsuitable ? setups_in_a_row_ + 1 : 0;
      return unsuitable;
    }
    after_refresh_ = std::min(after_refresh_, iterations);
    excess_ += iterations - after_refresh_;
    return excess_ >= cost;
  }
  /// A setup was made, for whatever reason.
  void setup_done() {
    counted_ = after_setup_ = after_refresh_ = excess_ = 0;
    setups_left_ = std::max(0, setups_left_ - 1);
  }

 private:
  std::int64_t counted_ = 0;        ///< applications at the last compute()
  std::int64_t after_setup_ = 0;    ///< iterations after the setup; 0: none yet
  std::int64_t after_refresh_ = 0;  ///< fewest iterations after a refresh; 0: none yet
  std::int64_t excess_ = 0;         ///< sum of iterations above after_refresh_
  int setups_in_a_row_ = 0, setups_left_ = 0;
};

/// The origin of a setup, on one rank: matrix, parameters, ranks. A load requires the same origin.
struct SetupOrigin {
  std::string version;                 ///< of Tessera
  std::uint64_t save = 0;              ///< equal in all files of one save()
  int ranks = 1, rank = 0;             ///< number of ranks, and this one
  parameters::NamedSettings settings;  ///< class and parameters that affect the setup
  bool in_double = false;              ///< instead of float
  std::uint64_t pattern = 0;           ///< checksums: of the matrix' pattern and distribution on this rank
  std::string values;                  ///< of the matrix' entries on all ranks
  std::uint64_t data = 0;              ///< of near-nullspace and coordinates on this rank

  void archive(core::Archive& file);
};

/// The parameters that a load compares: all except those for the back end, reports and refreshes.
parameters::NamedSettings parameters_of_setup(parameters::NamedSettings all);

/// Checksum of a rank's part: sizes, columns in order, global ids of rows.
std::uint64_t pattern_checksum(comm::DistCsr<double, Host> const& A, tpetra::RowIds const& row_ids);
std::uint64_t data_checksum(UserData const& data);

/// Writes the archive of `body` to files of all ranks. If one rank fails, all earlier files stay. Sets
/// origin.save. Collective. \throws core::InvalidInput, on every rank, if a file cannot be written
void write_setup(std::string const& path, comm::Communicator const& comm, SetupOrigin origin,
                 std::function<void(core::Archive&)> const& body);

/// A saved setup, which is checked to its end before it is loaded.
class SavedSetup {
 public:
  /// Opens the files of all ranks, and compares them with each other and with the origin that the load
  /// requires. Collective. \throws core::InvalidInput, on every rank, with the difference
  SavedSetup(std::string const& path, comm::Communicator const& comm, SetupOrigin const& wanted);

  SetupOrigin const& origin() const { return origin_; }
  /// The preconditioner's archive.
  core::Archive& contents() { return *contents_; }

 private:
  void open(int rank);
  void require_match(SetupOrigin const& wanted) const;
  void read(void* memory, std::size_t bytes);
  /// instead: another remedy, followed by "or".
  [[noreturn]] void refuse(std::string const& why, std::string const& instead = {}) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;  ///< of this rank
  std::unique_ptr<std::FILE, Close> file_;
  SetupOrigin origin_;
  std::unique_ptr<core::Archive> contents_;
};

/// Holds the imported matrix and its operator. Details::Preconditioner calls the functions in the right order
/// and with checked arguments. Functions are collective, except those for parameters and facts.
class PreconditionerImpl {
 public:
  /// name: of one of settings::methods().
  explicit PreconditionerImpl(std::string const& name);

  settings::Settings const& settings() const { return settings_; }
  /// Sets a complete list. On an exception nothing changes.
  void set_parameters(Teuchos::ParameterList const& list);
  /// Sets a member of UserData. Has no effect on methods without levels.
  void set_data(MultiVectorPointer UserData::*which, MultiVectorPointer const& vectors);

  /// For later setups.
  void set_level_observer(multigrid::LevelObserver const& observer) { on_level_ = observer; }

  /// Another implementation with the same settings and without a matrix.
  std::unique_ptr<PreconditionerImpl> clone_config() const;

  /// Frees all that belongs to a matrix.
  void reset();
  /// Takes another matrix. Returns true if the kept pattern fits, so that compute() needs no initialize().
  bool adopt(tpetra::RowMatrix const& A);
  void initialize(tpetra::RowMatrix const& A);
  /// just_read: the values are those of A, after initialize() or adopt().
  void compute(tpetra::RowMatrix const& A, bool just_read);
  /// Writes the setup to a file of each rank.
  void save(std::string const& path);
  /// Replaces compute(), directly after initialize(). \throws core::InvalidInput if the origin differs
  void load(std::string const& path);
  /// \throws core::InvalidInput, on all ranks, if X or Y has another number of rows than the matrix on a
  /// rank. An accepted map is recognised by its address at no cost. All ranks must pass the same map at the
  /// same time, as for Tpetra::Map::isSameAs.
  void require_rows(tpetra::MultiVector const& X, tpetra::MultiVector const& Y);
  /// Y = M^-1 X. X and Y do not share memory and have the same number of columns. Does not read Y.
  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y);

  /// The near-nullspace vectors that coarse levels reproduce; null without levels. Collective.
  MultiVectorPointer near_nullspace() const;
  // See Details::Preconditioner.
  std::string last_compute() const;
  double reading_seconds() const;
  /// Whether M is linear; false for K-cycles.
  bool is_linear() const;
  /// (key, value) pairs for description().
  std::vector<std::pair<std::string, std::string>> facts() const;
  /// M^-1 on its space; null if not computed.
  AnyOperator* any_operator() { return operator_.get(); }
  /// The text of describe() after compute(), for rank 0. Collective.
  std::string report(Teuchos::EVerbosityLevel level);

 private:
  /// How the last compute() made M^-1. renewal: a setup, because refreshes had cost too many iterations.
  enum class LastCompute { nothing, setup, refresh, reuse, renewal, load };

  UserData data() const;
  /// The settings that must be equal on all ranks. Each rank may use another GPU.
  parameters::NamedSettings settings_to_agree(Teuchos::ParameterList const& list, UserData const& data) const;
  /// Reads values on the same pattern. \throws tpetra::PatternChanged
  void read_values(tpetra::RowMatrix const& A);
  /// Updates matrix_ to A's values; resets all if the pattern has changed.
  void update_values(tpetra::RowMatrix const& A);
  bool matrix_is_placed();
  void compute_matrix();
  /// saved: archive to load from; null: a setup.
  void make(core::Archive* saved = nullptr);
  /// The origin of a setup of the imported matrix. Collective.
  SetupOrigin origin() const;
  void apply_in_range(tpetra::MultiVector const& X, tpetra::MultiVector& Y);
  /// Calls work. Adds to its errors the base of row numbers, and whether A is symmetric.
  template <class Work>
  void with_row_context(tpetra::RowMatrix const& A, Work const& work) const;
  /// Warns once if A is not symmetric, because conjugate gradients may not converge then.
  void note_asymmetry(tpetra::RowMatrix const& A);
  void print_notes(int rank);
  void warn_staging(int rank) const;

  settings::Method const& method_;
  Teuchos::ParameterList list_;  ///< the last one set
  settings::Settings settings_;
  std::vector<std::string> notes_;  ///< warnings for compute() to print
  UserData from_list_, from_setters_;
  parameters::NamedSettings agreed_settings_;  ///< of list_ and data(); equal on all ranks
  std::optional<SystemMatrix> matrix_;
  comm::Communicator comm_;  ///< of the imported matrix; below, its maps
  Teuchos::RCP<tpetra::Map const> row_map_, column_map_;
  Teuchos::RCP<tpetra::Map const> map_of_X_, map_of_Y_;  ///< last accepted by require_rows()
  tpetra::RowIds row_ids_;                               ///< for the next setup, if there are levels
  double largest_entry_ = 0;                             ///< largest |a_ij| of the imported matrix
  std::optional<Backend> backend_;  ///< chosen by initialize(), again after a change of parameters
  std::unique_ptr<AnyOperator> operator_;
  bool setup_is_stale_ = false;  ///< parameters or user data have changed since the setup
  bool knows_asymmetry_ = false;
  bool keep_as_is_ = false;  ///< `reuse: type` = full, and the matrix was exchanged
  LastCompute last_compute_ = LastCompute::nothing;
  RefreshPolicy refresh_policy_;
  core::PhaseTimes times_;
  multigrid::LevelObserver on_level_;
};

}  // namespace Tessera::ifpack2
