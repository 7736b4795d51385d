// The bytes of files, decompressed, and their lines.
#include "market/market_file.hpp"

#include <lzma.h>
#include <zlib.h>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace Tessera::market {
namespace {

/// The remaining input, and the remaining room for output.
struct Progress {
  unsigned char const* in;
  std::size_t in_left;
  unsigned char* out;
  std::size_t out_left;
};

/// The reason why a stream cannot be decoded; it continues "is compressed with gzip, but".
struct Undecodable {
  char const* why;
};

/// Decompresses one stream after another.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual char const* name() const = 0;
  /// The first byte of every stream.
  virtual unsigned char first_byte() const = 0;
  /// Prepares for the next stream.
  virtual void begin() = 0;
  /// Decodes until input or room is used up, or until the stream ends: then true. \throws Undecodable
  virtual bool decode(Progress& progress) = 0;
};

char const* const damaged = "is damaged: get it again";

class GzipDecoder : public Decoder {
 public:
  GzipDecoder() {
    int constexpr window = 15, gzip_alone = 16;
    if (inflateInit2(&stream_, gzip_alone + window) != Z_OK) throw std::bad_alloc();
  }
  GzipDecoder(GzipDecoder const&) = delete;
  GzipDecoder& operator=(GzipDecoder const&) = delete;
  ~GzipDecoder() override { inflateEnd(&stream_); }

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

class XzDecoder : public Decoder {
 public:
  XzDecoder() = default;
  XzDecoder(XzDecoder const&) = delete;
  XzDecoder& operator=(XzDecoder const&) = delete;
  ~XzDecoder() override { lzma_end(&stream_); }

  char const* name() const override { return "xz"; }
  unsigned char first_byte() const override { return 0xFD; }

  /// xz -9 needs 65 MiB. A damaged or malicious file can request 4 GiB.
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

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// An uncompressed file. Its first bytes can be inspected before they are read.
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

/// Consecutive streams with zeros between and after them, as gzip and xz read them.
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

  /// False if all bytes so far are zeros.
  bool begin_stream() {
    auto const* const end = at_.in + at_.in_left;
    auto const* const next = first_ ? at_.in : std::find_if(at_.in, end, [](auto byte) { return byte != 0; });
    at_.in_left = static_cast<std::size_t>(end - next);
    at_.in = next;
    if (at_.in_left == 0) return false;
    if (*at_.in != decoder_->first_byte()) {
      fail("has other bytes after its data (two files may have become one): get it again, or remove them");
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
    return std::make_unique<CompressedFile>(std::move(file), std::make_unique<GzipDecoder>());
  if (begins_with(first,
                  "\xFD"
                  "7"))
    return std::make_unique<CompressedFile>(std::move(file), std::make_unique<XzDecoder>());
  std::pair<char const*, char const*> const others[] = {
      {"BZh", "bzip2"}, {"\x28\xB5\x2F\xFD", "zstd"}, {"PK\x03\x04", "zip"}};
  for (auto const& [start, kind] : others) {
    TESSERA_VALIDATE(!begins_with(first, start), path, ": is compressed with ", kind,
                     " (plain text, gzip and xz are read): decompress it first");
  }
  return file;
}

namespace {

bool blank_or_comment(char const* begin, char const* end) {
  while (begin != end && (*begin == ' ' || *begin == '\t')) ++begin;
  return begin == end || *begin == '%';
}

/// UTF-8's byte order mark, which some editors write.
std::string const byte_order_mark = "\xEF\xBB\xBF";

/// Larger pieces are not read faster.
std::size_t constexpr piece = std::size_t{1} << 20;

/// Lines of numbers have some dozens of bytes. Without a bound a small compressed file could take all memory.
std::size_t constexpr longest_line = std::size_t{1} << 26;

/// POSIX: position of the word "ustar" in an archive of tar.
std::size_t constexpr tar_mark = 257;

}  // namespace

TextLines::TextLines(std::string path) : path_(std::move(path)) {
  open();
}

void TextLines::open() {
  source_ = open_bytes(path_);
  window_.clear();
  offset_ = 0;
  number_ = 0;
  while (window_.size() < tar_mark + 5 && read_on()) {
  }
  std::string_view const text = window_;
  TESSERA_VALIDATE(!begins_with(text, "\xFF\xFE") && !begins_with(text, "\xFE\xFF"), path_,
                   ": is text in UTF-16 (Tessera reads ASCII and UTF-8): save it as UTF-8");
  TESSERA_VALIDATE(
      !begins_with(text.substr(std::min(tar_mark, text.size())), "ustar"), path_,
      ": is an archive of tar (as the SuiteSparse collection has them): unpack it by tar -xf, and give "
      "the .mtx file in it");
  refuse_petsc(text);
  if (begins_with(text, byte_order_mark)) offset_ = byte_order_mark.size();
  auto const first = text.find_first_of("\r\n");
  bool const by_returns =
      first != std::string_view::npos && text[first] == '\r' && text.substr(first + 1, 1) != "\n";
  line_end_ = by_returns ? '\r' : '\n';
}

/// PETSc's binary files begin with the class id of their object, big-endian, in 4 bytes or 8.
void TextLines::refuse_petsc(std::string_view text) const {
  auto const holds = [&](char last) {
    std::string const id{'\0', '\x12', '\x7B', last};
    return begins_with(text, id) || begins_with(text, std::string(4, '\0') + id);
  };
  bool const matrix = holds('\x50'), vector = holds('\x4E');
  TESSERA_VALIDATE(
      !matrix && !vector, path_, ": is ", matrix ? "a matrix" : "a vector",
      " in PETSc's binary format (Tessera reads Matrix Market files): convert it in Python, with "
      "PETSc's PetscBinaryIO.py: scipy.io.mmwrite(\"",
      matrix ? "A" : "b", ".mtx\", ",
      matrix ? "PetscBinaryIO.PetscBinaryIO().readBinaryFile(FILE, \"scipy.sparse\")[0])"
             : "PetscBinaryIO.PetscBinaryIO().readBinaryFile(FILE)[0].reshape(-1, 1))");
}

/// Discards the lines before the current position, and appends a piece of the file; false at its end.
bool TextLines::read_on() {
  window_.erase(0, offset_);
  offset_ = 0;
  auto const end = window_.size();
  window_.resize(end + piece);
  auto const count = source_->read(&window_[end], piece);
  window_.resize(end + count);
  return count > 0;
}

bool TextLines::next() {
  auto const* stop = find_line_end(0);
  while (!stop) {
    auto const searched = window_.size() - offset_;
    if (searched > longest_line) {
      ++number_;
      fail("a line has more than ", longest_line,
           " bytes, where lines of numbers have some dozens: is it text?");
    }
    if (!read_on()) break;
    stop = find_line_end(searched);
  }
  if (!stop && offset_ == window_.size()) return false;
  begin_ = window_.data() + offset_;
  end_ = stop ? stop : window_.data() + window_.size();
  offset_ = std::min(static_cast<std::size_t>(end_ - window_.data()) + 1, window_.size());
  if (end_ != begin_ && end_[-1] == '\r') --end_;
  ++number_;
  return true;
}

/// The end of the next line in memory, if present; its first `searched` bytes contain no line end.
char const* TextLines::find_line_end(std::size_t searched) const {
  auto const from = offset_ + searched;
  return std::char_traits<char>::find(window_.data() + from, window_.size() - from, line_end_);
}

bool TextLines::next_data() {
  while (next()) {
    if (!blank_or_comment(begin_, end_)) return true;
  }
  return false;
}

void TextLines::go(GlobalIndex line) {
  if (line == number_) return;
  open();
  while (number_ < line && next()) {
  }
}

bool TextLines::can_go_back() const {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path_, ignored);
}

std::size_t TextLines::likely_bytes() const {
  std::error_code error;
  auto const size = std::filesystem::file_size(path_, error);
  std::size_t constexpr seldom_exceeded = 16;
  return error ? 0 : static_cast<std::size_t>(size) * (source_->compressed() ? seldom_exceeded : 1);
}

void TextLines::expect_undamaged() const {
  if (!source_->compressed()) return;
  std::vector<char> rest(piece);
  while (source_->read(rest.data(), rest.size()) > 0) {
  }
}

}  // namespace Tessera::market
