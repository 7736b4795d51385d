#pragma once
/// \file
/// The bytes of a file, decompressed while they are read. The content determines the format, not the name.
#include <cstddef>
#include <memory>
#include <string>

namespace Tessera::tpetra {

/// All bytes, once, in order.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Writes at most `size` bytes, at least one before the end, and returns their number.
  /// \throws core::InvalidInput when the file cannot be read, or is compressed and damaged
  virtual std::size_t read(char* into, std::size_t size) = 0;
  virtual bool compressed() const { return false; }
};

/// A plain file, or one compressed with gzip (RFC 1952) or xz (its format 1.2), in one stream or several
/// consecutive ones. Needs memory for a few chunks, and for the dictionary of xz.
/// \throws core::InvalidInput for a file that cannot be read, or that is compressed in another way
std::unique_ptr<ByteSource> open_bytes(std::string const& path);

}  // namespace Tessera::tpetra
