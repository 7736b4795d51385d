#pragma once
/// \file
/// The bytes of a file, decompressed on the way. What a file is says its content, not its name.
#include <cstddef>
#include <memory>
#include <string>

namespace Tessera::tpetra {

/// Bytes from the first to the last, once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Writes at most `size` bytes, at least one before the end, and says how many.
  /// \throws core::InvalidInput when the file cannot be read, or is compressed and damaged
  virtual std::size_t read(char* into, std::size_t size) = 0;
  virtual bool compressed() const { return false; }
};

/// A file as it is, or what gzip (RFC 1952) or xz (its format 1.2) has made smaller, in one stream or several
/// that follow each other. Needs memory for a few chunks, and for the dictionary of xz. \throws
/// core::InvalidInput when the file cannot be read, or is compressed in another way
std::unique_ptr<ByteSource> open_bytes(std::string const& path);

}  // namespace Tessera::tpetra
