#include "tpetra/decoder.hpp"

#include <lzma.h>
#include <zlib.h>

#include <cstdint>
#include <new>

namespace Tessera::tpetra {

namespace {

char const* const damaged = "is damaged: get it again";

class Gzip : public Decoder {
 public:
  Gzip() {
    int constexpr window = 15, gzip_alone = 16;
    if (inflateInit2(&stream_, gzip_alone + window) != Z_OK) throw std::bad_alloc();
  }
  Gzip(Gzip const&) = delete;
  Gzip& operator=(Gzip const&) = delete;
  ~Gzip() override { inflateEnd(&stream_); }

  char const* name() const override { return "gzip"; }
  unsigned char first_byte() const override { return 0x1F; }
  void begin() override { inflateReset(&stream_); }

  bool decode(Progress& progress) override {
    stream_.next_in = const_cast<unsigned char*>(progress.in);  // zlib reads it
    stream_.avail_in = static_cast<uInt>(progress.in_left);
    stream_.next_out = progress.out;
    stream_.avail_out = static_cast<uInt>(progress.out_left);
    int const status = inflate(&stream_, Z_NO_FLUSH);
    progress = {stream_.next_in, stream_.avail_in, stream_.next_out, stream_.avail_out};
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) throw Undecodable{damaged};
    return status == Z_STREAM_END;
  }

 private:
  z_stream stream_{};
};

class Xz : public Decoder {
 public:
  Xz() = default;
  Xz(Xz const&) = delete;
  Xz& operator=(Xz const&) = delete;
  ~Xz() override { lzma_end(&stream_); }

  char const* name() const override { return "xz"; }
  unsigned char first_byte() const override { return 0xFD; }

  /// xz -9 needs 65 MiB. A damaged or a malicious file can ask for 4 GiB.
  void begin() override {
    std::uint64_t constexpr most = std::uint64_t{1} << 30;
    if (lzma_stream_decoder(&stream_, most, LZMA_TELL_UNSUPPORTED_CHECK) != LZMA_OK) throw std::bad_alloc();
  }

  bool decode(Progress& progress) override {
    stream_.next_in = progress.in;
    stream_.avail_in = progress.in_left;
    stream_.next_out = progress.out;
    stream_.avail_out = progress.out_left;
    auto const status = lzma_code(&stream_, LZMA_RUN);
    progress = {stream_.next_in, stream_.avail_in, stream_.next_out, stream_.avail_out};
    switch (status) {
      case LZMA_OK:
      case LZMA_BUF_ERROR:
        return false;
      case LZMA_STREAM_END:
        return true;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw Undecodable{"needs more than 1 GiB to be decompressed: compress it by xz -9 or less"};
      case LZMA_OPTIONS_ERROR:
      case LZMA_UNSUPPORTED_CHECK:
        throw Undecodable{"in a way that this liblzma does not know: compress it by xz without options"};
      default:
        throw Undecodable{damaged};
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<Decoder> gzip_decoder() {
  return std::make_unique<Gzip>();
}
std::unique_ptr<Decoder> xz_decoder() {
  return std::make_unique<Xz>();
}

}  // namespace Tessera::tpetra
