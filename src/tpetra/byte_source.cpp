#include "tpetra/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "tpetra/decoder.hpp"

namespace Tessera::tpetra {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A file as it is. Its first bytes can be looked at before they are read.
class RawFile : public ByteSource {
 public:
  explicit RawFile(std::string path) : path_(std::move(path)) {
    std::error_code ignored;
    TESSERA_VALIDATE(!std::filesystem::is_directory(path_, ignored), path_,
                     ": is a directory, not a Matrix Market file: give the file's path");
    TESSERA_VALIDATE(!std::filesystem::is_character_file(path_, ignored), path_,
                     ": is a device, which has no end: give a file's path");
    file_.reset(std::fopen(path_.c_str(), "rb"));
    TESSERA_VALIDATE(file_, path_, ": cannot be opened (", std::strerror(errno), "): check the path");
    first_.resize(8);
    first_.resize(from_file(first_.data(), first_.size()));
  }

  std::string const& path() const { return path_; }
  std::string_view first() const { return first_; }

  std::size_t read(char* into, std::size_t size) override {
    auto const count = std::min(size, first_.size() - taken_);
    if (count == 0) return from_file(into, size);
    std::copy_n(first_.data() + taken_, count, into);
    taken_ += count;
    return count;
  }

 private:
  std::size_t from_file(char* into, std::size_t size) {
    auto const count = std::fread(into, 1, size, file_.get());
    TESSERA_VALIDATE(!std::ferror(file_.get()), path_, ": cannot be read (", std::strerror(errno), ")");
    return count;
  }

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string first_;
  std::size_t taken_ = 0;  ///< of first_
};

/// Streams one behind the other, with zeros between and behind them, as gzip and xz read them.
class CompressedFile : public ByteSource {
 public:
  CompressedFile(std::unique_ptr<RawFile> file, std::unique_ptr<Decoder> decoder)
      : file_(std::move(file)), decoder_(std::move(decoder)), chunk_(std::size_t{1} << 18) {}

  bool compressed() const override { return true; }

  std::size_t read(char* into, std::size_t size) override {
    at_.out = reinterpret_cast<unsigned char*>(into);
    at_.out_left = size;
    while (at_.out_left == size) {
      bool const more = at_.in_left > 0 || refill();
      if (!in_stream_) {
        if (!more) return 0;
        if (!begin_stream()) continue;
      }
      in_stream_ = !decode();
      if (in_stream_ && !more && at_.out_left == size) {
        fail("ends before its data do (it may have been cut short): get it again");
      }
    }
    return size - at_.out_left;
  }

 private:
  bool refill() {
    at_.in = chunk_.data();
    at_.in_left = file_->read(reinterpret_cast<char*>(chunk_.data()), chunk_.size());
    return at_.in_left > 0;
  }

  /// False where there are only zeros so far.
  bool begin_stream() {
    auto const* const end = at_.in + at_.in_left;
    auto const* const next = first_ ? at_.in : std::find_if(at_.in, end, [](auto byte) { return byte != 0; });
    at_.in_left = static_cast<std::size_t>(end - next);
    at_.in = next;
    if (at_.in_left == 0) return false;
    if (*at_.in != decoder_->first_byte()) {
      fail("has other bytes behind its data (two files may have become one): get it again, or remove them");
    }
    decoder_->begin();
    first_ = false;
    return in_stream_ = true;
  }

  bool decode() {
    try {
      return decoder_->decode(at_);
    } catch (Undecodable const& error) {
      fail(error.why);
    }
  }

  [[noreturn]] void fail(char const* why) const {
    throw core::InvalidInput(
        core::message(file_->path(), ": is compressed with ", decoder_->name(), ", but ", why));
  }

  std::unique_ptr<RawFile> file_;
  std::unique_ptr<Decoder> decoder_;
  std::vector<unsigned char> chunk_;
  Progress at_{nullptr, 0, nullptr, 0};
  bool first_ = true, in_stream_ = false;
};

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

}  // namespace

std::unique_ptr<ByteSource> open_bytes(std::string const& path) {
  auto file = std::make_unique<RawFile>(path);
  auto const first = file->first();
  if (begins_with(first, "\x1F\x8B"))
    return std::make_unique<CompressedFile>(std::move(file), gzip_decoder());
  if (begins_with(first,
                  "\xFD"
                  "7"))
    return std::make_unique<CompressedFile>(std::move(file), xz_decoder());
  std::pair<char const*, char const*> const others[] = {
      {"BZh", "bzip2"}, {"\x28\xB5\x2F\xFD", "zstd"}, {"PK\x03\x04", "zip"}};
  for (auto const& [start, kind] : others) {
    TESSERA_VALIDATE(!begins_with(first, start), path, ": is compressed with ", kind,
                     " (plain text, gzip and xz are read): decompress it first");
  }
  return file;
}

}  // namespace Tessera::tpetra
