#pragma once
/// \file
/// Files of setups. Rank 0 has the file that the user names, rank r one of this name with ".r" behind it.
///
/// A file is: 8 bytes that say what it is; a number by which the order of bytes shows; the format's version;
/// sizes of the types; what it was saved for (SavedFor); what the preconditioner has; a checksum of all that.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "comm/dist_csr.hpp"
#include "core/archive.hpp"
#include "ifpack2/user_data.hpp"
#include "parameters/agreement.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

/// What a setup was made for, on one rank. It is loaded for the same only.
struct SavedFor {
  std::string version;        ///< Tessera's
  std::uint64_t save = 0;     ///< the same in all files that were saved together
  int ranks = 1, rank = 0;    ///< of how many, and which
  parameters::Said said;      ///< class and parameters, as far as they matter
  bool in_double = false;     ///< rather than float
  std::uint64_t pattern = 0;  ///< checksums: of the matrix' pattern and distribution on this rank
  std::string values;         ///< of the matrix' entries on all ranks
  std::uint64_t data = 0;     ///< of near-nullspace and coordinates on this rank

  void archive(core::Archive& file);
};

/// Parameters that say where a preconditioner runs, how it reports or when it is refreshed matter to nobody
/// who loads it.
parameters::Said parameters_of_setup(parameters::Said all);

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

}  // namespace Tessera::ifpack2
