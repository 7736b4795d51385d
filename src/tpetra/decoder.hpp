#pragma once
/// \file
/// Decompression, one stream at a time.
#include <cstddef>
#include <memory>

namespace Tessera::tpetra {

/// What is left to read, and of the room to write to.
struct Progress {
  unsigned char const* in;
  std::size_t in_left;
  unsigned char* out;
  std::size_t out_left;
};

/// Why a stream cannot be decoded; continues "is compressed with gzip, but".
struct Undecodable {
  char const* why;
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual char const* name() const = 0;
  /// The first byte of every stream.
  virtual unsigned char first_byte() const = 0;
  /// Makes ready for a stream; before the first, and after each end.
  virtual void begin() = 0;
  /// Decodes until one of the two is used up, or the stream ends: then true. \throws Undecodable
  virtual bool decode(Progress& progress) = 0;
};

std::unique_ptr<Decoder> gzip_decoder();
std::unique_ptr<Decoder> xz_decoder();

}  // namespace Tessera::tpetra
