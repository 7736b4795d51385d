#pragma once
/// \file
/// Compression of a text by gzip and xz, for tests.
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>

#include <string>

namespace Tessera::tpetra {

/// \param level 0 stores the text uncompressed, between a head and a checksum
inline std::string gzipped(std::string const& text, int level = 6) {
  z_stream stream{};
  int constexpr window = 15, gzip = 16, memory = 8;
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, gzip + window, memory, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<unsigned char*>(&packed[0]);
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string xzipped(std::string const& text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<unsigned char const*>(text.data()), text.size(),
                                    reinterpret_cast<unsigned char*>(&packed[0]), &size, packed.size()),
            LZMA_OK);
  packed.resize(size);
  return packed;
}

}  // namespace Tessera::tpetra
