#pragma once
/// \file
/// Files that are written whole or not at all.
#include <cstdio>
#include <string>
#include <string_view>

namespace Tessera::tpetra {

/// A file of one rank. A regular file, new or old, is written beside its place and takes it in finish():
/// until then, and when something fails, what was there stays. A link stays a link. What cannot be replaced
/// (a device, a pipe, the program's own standard output under whatever name) is written in place.
class OutputFile {
 public:
  /// \throws core::InvalidInput when the path cannot be written
  explicit OutputFile(std::string const& path);
  OutputFile(OutputFile const&) = delete;
  OutputFile& operator=(OutputFile const&) = delete;
  /// Leaves nothing behind where finish() has not been reached.
  ~OutputFile();

  /// A failure is remembered until finish().
  void write(std::string_view text);
  /// Everything is written, and lies beside its place until finish(), which then can hardly fail. \throws as
  /// finish()
  void settle();
  /// \throws core::InvalidInput when not everything could be written, such as on a full disk
  void finish();

 private:
  std::string path_;
  std::string place_;   ///< where links lead; empty: written in place
  std::string beside_;  ///< what is written until finish(); empty: nothing to take away
  std::FILE* file_ = nullptr;
  int error_ = 0;
};

/// Throws as the constructor of OutputFile would, and changes nothing.
void require_writable(std::string const& path);

}  // namespace Tessera::tpetra
