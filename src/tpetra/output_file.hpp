#pragma once
/// \file
/// Files that are written whole or not at all.
#include <cstdio>
#include <string>
#include <string_view>

namespace Tessera::tpetra {

/// A file of one rank. A regular file is written under a temporary name in the same folder; finish() renames
/// it. Until then, and after any failure, the old file remains. A link remains a link. Files that cannot be
/// replaced (a device, a pipe, the program's own standard output under any name) are written in place.
class OutputFile {
 public:
  /// \throws core::InvalidInput if the path cannot be written
  explicit OutputFile(std::string const& path);
  OutputFile(OutputFile const&) = delete;
  OutputFile& operator=(OutputFile const&) = delete;
  /// Removes the temporary file if finish() was not called.
  ~OutputFile();

  /// finish() reports a failure.
  void write(std::string_view text);
  /// Writes everything to the temporary file, so that finish() only has to rename it. \throws as finish()
  void complete();
  /// \throws core::InvalidInput if some text could not be written, such as on a full disk
  void finish();

 private:
  std::string path_;
  std::string target_;     ///< the path after resolving links; empty: written in place
  std::string temporary_;  ///< path of the temporary file; empty: none to remove
  std::FILE* file_ = nullptr;
  int error_ = 0;
};

/// Throws as the constructor of OutputFile does, without changing any file.
void require_writable(std::string const& path);

}  // namespace Tessera::tpetra
