#pragma once
/// \file
/// A Matrix Market file (Boisvert, Pozo, Remington, NISTIR 5935, 1996) as numbers, on one rank. Violations of
/// the format are errors that name file and line. Accepted variants of files in circulation: any case in the
/// banner, CRLF or CR, blank lines and comments anywhere, blanks before a comment's percent sign, UTF-8's
/// byte order mark, Fortran's D exponents. Files compressed with gzip or xz are decompressed.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace Tessera::market {

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

/// The text of a file, line by line. Memory holds a piece of a megabyte, or the current line if that is
/// longer.
class TextLines {
 public:
  /// \throws core::InvalidInput, as next() does, if the file cannot be read, is damaged, or is no text
  explicit TextLines(std::string path);

  /// Moves to the next line; false at the end. The line has no line end.
  bool next();
  /// The same, but skips blank lines and comments (lines whose first character other than a blank is %).
  bool next_data();

  char const* begin() const { return begin_; }
  char const* end() const { return end_; }
  GlobalIndex number() const { return number_; }  ///< of the current line, from 1
  std::string const& path() const { return path_; }
  /// The part of the file after the current line that is in memory.
  std::string_view following() const { return std::string_view(window_).substr(offset_); }
  /// Approximate length of the text, for reserving memory: exact for plain files, 0 if unknown.
  std::size_t likely_bytes() const;

  /// Moves to the end of `line`, so that next() returns the line after it; reads the file again if necessary.
  void go(GlobalIndex line);
  /// False for pipes, which can be read once.
  bool can_go_back() const;

  /// Throws core::InvalidInput: "path:line: " and the parts; strings among them are excerpts of the file.
  /// Reports a damaged file first, because its content has no meaning.
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
  std::string window_;      ///< the piece in memory
  std::size_t offset_ = 0;  ///< start of the next line in window_
  GlobalIndex number_ = 0;
  char line_end_ = '\n';  ///< a carriage return if no line feed follows the first one
  char const* begin_ = nullptr;
  char const* end_ = nullptr;
};

/// Entries as the file lists them, indices from 0. One triangle of a symmetric matrix.
struct CoordinateEntries {
  std::vector<Index> row, column;
  std::vector<double> value;
};

/// What may follow the entries, and how they count: AmgX's extension (AmgX reference manual,
/// AMGX_read_system). A line of words after %%AMGX or %%NVAMG, before the line of sizes, says it.
struct AmgxExtension {
  int block_rows = 1, block_columns = 1;  ///< one number stands for both
  bool diagonal = false;  ///< blocks of the diagonal, row-major, which are not among the entries
  bool rhs = false;       ///< then the right-hand side
  bool solution = false;  ///< then the first guess
  Index base = 1;         ///< of indices; 0 by the word base0
};

/// One Matrix Market file. Every member throws core::InvalidInput.
class MarketFile {
 public:
  /// Whether lines that begin with %%AMGX are comments, as the format has it, or have AmgX's meaning.
  enum class Dialect { matrix_market, amgx };

  /// Reads the banner and the sizes.
  explicit MarketFile(std::string const& path, Dialect dialect = Dialect::matrix_market);

  bool coordinate() const { return coordinate_; }  ///< else array
  bool symmetric() const { return symmetric_; }    ///< else general
  GlobalIndex rows() const { return rows_; }
  GlobalIndex columns() const { return columns_; }
  std::string const& path() const { return lines_.path(); }

  AmgxExtension const& extension() const { return extension_; }

  /// The entries of a coordinate file, without a search for duplicates.
  CoordinateEntries coordinate_entries();
  /// The next `count` numbers, which follow the entries, any number of them on a line. what: names them in
  /// errors.
  std::vector<double> following_values(GlobalIndex count, char const* what);
  /// Expects the end of the file, after what its extension announces.
  void expect_end();
  /// The values of an array file, column by column.
  std::vector<double> array_values();

  /// Throws an error that names the first two lines with entry (row, column), counted from 0. Reads the file
  /// again to find them, unless it is a pipe.
  [[noreturn]] void fail_duplicate(Index row, Index column);

 private:
  enum class Field { real, integer, pattern };
  void read_banner();
  void read_extension(char const* at);
  void read_sizes();
  double parse_value(char const*& at) const;
  Index parse_index(char const*& at, char const* what, GlobalIndex size) const;
  bool next_entry(GlobalIndex read);

  TextLines lines_;
  Dialect dialect_;
  AmgxExtension extension_;
  char const* at_ = nullptr;  ///< of the current line, in following_values()
  bool coordinate_ = true, symmetric_ = false;
  Field field_ = Field::real;
  GlobalIndex rows_ = 0, columns_ = 0, entries_ = 0;
  GlobalIndex data_ = 0;  ///< the line of sizes
};

}  // namespace Tessera::market
