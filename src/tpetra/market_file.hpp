#pragma once
/// \file
/// A Matrix Market file (Boisvert, Pozo, Remington, NISTIR 5935, 1996) as numbers, on one rank. Strict: what
/// the format forbids is an error that names file and line. Lenient where files in circulation differ: any
/// case in the banner, CRLF or CR, blank lines and comments anywhere, blanks before a comment's percent sign,
/// UTF-8's byte order mark, Fortran's D exponents. Files compressed with gzip or xz are decompressed on the
/// way.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"
#include "tpetra/byte_source.hpp"

namespace Tessera::tpetra {

/// The text of a file, line by line. No more of it is in memory than a piece of a megabyte, or the current
/// line.
class TextLines {
 public:
  /// \throws core::InvalidInput, as next() does, when the file cannot be read, is damaged, or no text
  explicit TextLines(std::string path);

  /// Moves to the next line; false at the end. The line has no line end.
  bool next();
  /// The same, passing over blank lines and those whose first character that is no blank is %.
  bool next_data();

  char const* begin() const { return begin_; }
  char const* end() const { return end_; }
  GlobalIndex number() const { return number_; }  ///< of the current line, from 1
  std::string const& path() const { return path_; }
  /// What follows the current line, as far as it is in memory.
  std::string_view following() const { return std::string_view(window_).substr(offset_); }
  /// About how long the text is, for reserving memory: exact for plain files, 0 where it cannot be known.
  std::size_t likely_bytes() const;

  /// Moves to where `line` has been read and next() gives what follows; by reading the file again, if need
  /// be.
  void go(GlobalIndex line);
  /// False for pipes, which can be read once.
  bool can_go_back() const;

  /// Throws core::InvalidInput: "path:line: " and the parts, of which strings are words of the file. A
  /// damaged file is blamed first: what it says has no meaning.
  template <class... Parts>
  [[noreturn]] void fail(Parts const&... parts) const {
    auto const text = core::message(path_, ":", number_, ": ", shown(parts)...);
    expect_undamaged();
    throw core::InvalidInput(text);
  }

 private:
  void open();
  void refuse_petsc(std::string_view text) const;
  bool read_on();
  char const* find_line_end(std::size_t searched) const;
  void expect_undamaged() const;

  static std::string shown(std::string const& word) { return core::excerpt(word); }
  template <class Part>
  static Part const& shown(Part const& part) {
    return part;
  }

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::string window_;      ///< what is in memory
  std::size_t offset_ = 0;  ///< where the next line begins in it
  GlobalIndex number_ = 0;
  char line_end_ = '\n';  ///< a carriage return where no line feed follows the first one
  char const* begin_ = nullptr;
  char const* end_ = nullptr;
};

/// Entries as the file lists them, indices from 0. One triangle of a symmetric matrix.
struct CoordinateEntries {
  std::vector<Index> row, column;
  std::vector<double> value;
};

/// One Matrix Market file. Every member throws core::InvalidInput.
class MarketFile {
 public:
  /// Reads the banner and the sizes.
  explicit MarketFile(std::string const& path);

  bool coordinate() const { return coordinate_; }  ///< else array
  bool symmetric() const { return symmetric_; }    ///< else general
  GlobalIndex rows() const { return rows_; }
  GlobalIndex columns() const { return columns_; }
  std::string const& path() const { return lines_.path(); }

  /// The entries of a coordinate file. Duplicates are not looked for.
  CoordinateEntries coordinate_entries();
  /// The values of an array file, column by column.
  std::vector<double> array_values();

  /// Throws, naming the lines that give entry (row, column), from 0, for the first and the second time. These
  /// are looked for by reading the file again, unless it is a pipe.
  [[noreturn]] void fail_duplicate(Index row, Index column);

 private:
  enum class Field { real, integer, pattern };
  void read_banner();
  void read_sizes();
  double parse_value(char const*& at) const;
  Index parse_index(char const*& at, char const* what, GlobalIndex size) const;
  bool next_entry(GlobalIndex read);

  TextLines lines_;
  bool coordinate_ = true, symmetric_ = false;
  Field field_ = Field::real;
  GlobalIndex rows_ = 0, columns_ = 0, entries_ = 0;
  GlobalIndex data_ = 0;  ///< the line of sizes
};

}  // namespace Tessera::tpetra
