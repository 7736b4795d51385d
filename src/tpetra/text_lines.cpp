#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "tpetra/market_file.hpp"

namespace Tessera::tpetra {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string read_whole(std::string const& path) {
  std::error_code ignored;
  TESSERA_VALIDATE(!std::filesystem::is_directory(path, ignored), path,
                   ": is a directory, not a Matrix Market file: give the file's path");
  TESSERA_VALIDATE(!std::filesystem::is_character_file(path, ignored), path,
                   ": is a device, which has no end: give a file's path");
  std::unique_ptr<std::FILE, Close> const file(std::fopen(path.c_str(), "rb"));
  TESSERA_VALIDATE(file, path, ": cannot be opened (", std::strerror(errno), "): check the path");
  std::string text;
  auto const size = std::filesystem::file_size(path, ignored);
  text.reserve(ignored ? 0 : size + 1);
  std::size_t constexpr chunk = 1 << 20;
  for (std::size_t count = chunk; count == chunk;) {
    auto const end = text.size();
    text.resize(end + chunk);
    count = std::fread(&text[end], 1, chunk, file.get());
    text.resize(end + count);
  }
  TESSERA_VALIDATE(!std::ferror(file.get()), path, ": cannot be read (", std::strerror(errno), ")");
  return text;
}

char const* compression(std::string const& text) {
  if (text.compare(0, 6,
                   std::string("\xFD"
                               "7zXZ\0",
                               6)) == 0) {
    return "xz";
  }
  if (text.compare(0, 2, "\x1F\x8B") == 0) return "gzip";
  if (text.compare(0, 3, "BZh") == 0) return "bzip2";
  return nullptr;
}

bool blank_or_comment(char const* begin, char const* end) {
  while (begin != end && (*begin == ' ' || *begin == '\t')) ++begin;
  return begin == end || *begin == '%';
}

/// UTF-8's, which some editors write.
std::string const byte_order_mark = "\xEF\xBB\xBF";

bool begins_with(std::string const& text, std::string const& start) {
  return text.compare(0, start.size(), start) == 0;
}

}  // namespace

TextLines::TextLines(std::string path) : path_(std::move(path)), text_(read_whole(path_)) {
  if (auto const* const kind = compression(text_)) {
    throw core::InvalidInput(core::message(path_, ": is compressed with ", kind,
                                           " (Tessera reads plain text only): decompress it first"));
  }
  TESSERA_VALIDATE(!begins_with(text_, "\xFF\xFE") && !begins_with(text_, "\xFE\xFF"), path_,
                   ": is text in UTF-16 (Tessera reads ASCII and UTF-8): save it as UTF-8");
  if (begins_with(text_, byte_order_mark)) offset_ = byte_order_mark.size();
}

bool TextLines::next() {
  if (offset_ >= text_.size()) return false;
  begin_ = text_.data() + offset_;
  auto const* const stop = static_cast<char const*>(std::memchr(begin_, '\n', text_.size() - offset_));
  end_ = stop ? stop : text_.data() + text_.size();
  offset_ = static_cast<std::size_t>(end_ - text_.data()) + 1;
  if (end_ != begin_ && end_[-1] == '\r') --end_;
  ++number_;
  return true;
}

bool TextLines::next_data() {
  while (next()) {
    if (!blank_or_comment(begin_, end_)) return true;
  }
  return false;
}

void TextLines::go(Place const& place) {
  offset_ = place.offset;
  number_ = place.number;
}

}  // namespace Tessera::tpetra
