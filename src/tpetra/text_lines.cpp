#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "tpetra/market_file.hpp"

namespace Tessera::tpetra {

namespace {

bool blank_or_comment(char const* begin, char const* end) {
  while (begin != end && (*begin == ' ' || *begin == '\t')) ++begin;
  return begin == end || *begin == '%';
}

/// UTF-8's byte order mark, which some editors write.
std::string const byte_order_mark = "\xEF\xBB\xBF";

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

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
  return static_cast<char const*>(std::memchr(window_.data() + from, line_end_, window_.size() - from));
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

}  // namespace Tessera::tpetra
