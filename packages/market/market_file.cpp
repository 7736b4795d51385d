#include "market/market_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <system_error>

namespace Tessera::market {

namespace {

char const* skip_space(char const* at, char const* end) {
  while (at != end && (*at == ' ' || *at == '\t')) ++at;
  return at;
}

char const* token_end(char const* at, char const* end) {
  while (at != end && *at != ' ' && *at != '\t') ++at;
  return at;
}

/// The next word of the current line; empty at its end.
std::string word(TextLines const& lines, char const*& at) {
  at = skip_space(at, lines.end());
  auto const* const begin = at;
  at = token_end(at, lines.end());
  return {begin, at};
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

void expect_line_end(TextLines const& lines, char const* at, char const* what) {
  at = skip_space(at, lines.end());
  if (at != lines.end()) {
    lines.fail("\"", std::string(at, lines.end()), "\" follows ", what, ": remove it");
  }
}

/// Parses an integer that is a whole word.
GlobalIndex parse_integer(TextLines const& lines, char const*& at, char const* what) {
  at = skip_space(at, lines.end());
  if (at == lines.end()) lines.fail(what, " is missing");
  auto const* const begin = at;
  at = token_end(at, lines.end());
  GlobalIndex value = 0;
  auto const [stop, error] = std::from_chars(*begin == '+' ? begin + 1 : begin, at, value);
  if (error != std::errc{} || stop != at) {
    lines.fail(what, " \"", std::string(begin, at), "\" is not an integer below 2^63");
  }
  return value;
}

/// Position of an exponent without letter, as Fortran writes it if the field is too narrow: 1.0-3 and 1.0+100
/// for 1.0E-3 and 1.0E+100; npos for all other texts.
std::size_t exponent_without_letter(std::string const& text) {
  auto const sign = text.find_first_of("+-", 1);
  if (sign == std::string::npos) return sign;
  auto const only = [&](std::size_t from, std::size_t to, char const* letters) {
    return from < to && text.find_first_not_of(letters, from) >= to;
  };
  bool const signed_too = text[0] == '+' || text[0] == '-';
  bool const number =
      only(signed_too ? 1 : 0, sign, "0123456789.") && only(sign + 1, text.size(), "0123456789");
  return number ? sign : std::string::npos;
}

/// Parses numbers that from_chars rejects: a leading plus, Fortran's D exponents, numbers below the smallest
/// double.
double parse_unusual(TextLines const& lines, std::string const& text) {
  std::string c = text;
  for (auto& letter : c) {
    if (letter == 'd' || letter == 'D') letter = 'e';
  }
  char* stop = nullptr;
  double const value = std::strtod(c.c_str(), &stop);
  bool const number = stop == c.c_str() + c.size() && c.find_first_of("xX") == std::string::npos;
  auto const exponent = number ? std::string::npos : exponent_without_letter(text);
  if (exponent != std::string::npos) {
    lines.fail("value \"", text,
               "\" has an exponent without its letter, as Fortran writes where it has no room (it could be a "
               "mistake for something else): write ",
               text.substr(0, exponent) + "E" + text.substr(exponent));
  }
  if (!number) lines.fail("value \"", text, "\" is not a number");
  if (!std::isfinite(value)) lines.fail("value \"", text, "\" is not a finite number in double precision");
  return value;
}

/// Whether the lines after the first are a Harwell-Boeing or Rutherford-Boeing header: numbers of lines, then
/// a type such as RSA and the sizes (Duff, Grimes, Lewis, 1992).
bool is_harwell_boeing(std::string_view following) {
  auto const line_end = [](std::string_view text) { return std::min(text.find('\n'), text.size()); };
  auto const counts = following.substr(0, line_end(following));
  auto const rest = following.substr(std::min(counts.size() + 1, following.size()));
  auto const sizes = rest.substr(0, line_end(rest));
  if (counts.find_first_of("0123456789") == std::string_view::npos ||
      counts.find_first_not_of("0123456789 \r") != std::string_view::npos || sizes.size() < 4)
    return false;
  auto const one_of = [](char letter, std::string_view known) {
    return known.find(static_cast<char>(std::tolower(static_cast<unsigned char>(letter)))) !=
           std::string_view::npos;
  };
  return one_of(sizes[0], "rcpiq") && one_of(sizes[1], "suhzr") && one_of(sizes[2], "ae") &&
         sizes.find_first_not_of("0123456789 \r", 3) == std::string_view::npos;
}

/// word: the first of the file, in lower case. Names the format, if it is known.
[[noreturn]] void refuse_banner(TextLines const& lines, std::string const& word) {
  if (word.compare(0, 13, "%%nvamgbinary") == 0)
    lines.fail("is a binary file of AmgX, which is not read: let AmgX write it as Matrix Market");
  if (is_harwell_boeing(lines.following())) {
    lines.fail(
        "is a Harwell-Boeing file (Tessera reads Matrix Market files): convert it by BeBOP's converter, "
        "sparse_matrix_converter FILE HB A.mtx MM");
  }
  lines.fail(
      "is not a Matrix Market file (these begin with a line such as \"%%MatrixMarket matrix coordinate "
      "real "
      "symmetric\")");
}

}  // namespace

MarketFile::MarketFile(std::string const& path, Dialect dialect) : lines_(path), dialect_(dialect) {
  read_banner();
  read_sizes();
  data_ = lines_.number();
}

void MarketFile::read_banner() {
  if (!lines_.next()) throw core::InvalidInput(lines_.path() + ": is empty, not a Matrix Market file");
  auto const* at = lines_.begin();
  auto const first = lower(word(lines_, at));
  if (first != "%%matrixmarket") refuse_banner(lines_, first);
  auto const object = lower(word(lines_, at));
  auto const format = lower(word(lines_, at));
  auto const field = lower(word(lines_, at));
  auto const symmetry = lower(word(lines_, at));
  expect_line_end(lines_, at, "the banner");
  auto const require = [&](char const* what, std::string const& word, char const* read,
                           std::initializer_list<char const*> known) {
    if (std::find(known.begin(), known.end(), word) == known.end())
      lines_.fail("the banner's ", what, " is \"", word, "\", where ", read, " is read");
  };
  require("object", object, "\"matrix\"", {"matrix"});
  require("format", format, "\"coordinate\" or \"array\"", {"coordinate", "array"});
  if (field == "complex")
    lines_.fail(
        "complex matrices are not read (Tessera solves real systems): split it into real and imaginary part");
  require("field", field, "\"real\", \"integer\" or \"pattern\"", {"real", "integer", "pattern"});
  if (symmetry == "hermitian") {
    lines_.fail(
        "hermitian is for complex matrices (a real one is symmetric): write \"symmetric\" in the banner, "
        "such "
        "as by sed -i '1s/hermitian/symmetric/I' FILE");
  }
  if (symmetry == "skew-symmetric")
    lines_.fail(symmetry, " matrices are not read (Tessera solves real symmetric positive definite systems)");
  require("symmetry", symmetry, "\"general\" or \"symmetric\"", {"general", "symmetric"});
  coordinate_ = format == "coordinate";
  symmetric_ = symmetry == "symmetric";
  field_ = field == "real" ? Field::real : field == "integer" ? Field::integer : Field::pattern;
  if (!coordinate_ && field_ == Field::pattern)
    lines_.fail("an array has values, so its field cannot be \"pattern\"");
  if (!coordinate_ && symmetric_) {
    lines_.fail(
        "symmetric arrays are not read (arrays are read as right-hand sides and the like): make it general");
  }
}

void MarketFile::read_extension(char const* at) {
  constexpr int most = 16;
  int numbers = 0;
  for (auto option = lower(word(lines_, at)); !option.empty(); option = lower(word(lines_, at))) {
    if (option == "diagonal") {
      extension_.diagonal = true;
    } else if (option == "rhs") {
      extension_.rhs = true;
    } else if (option == "solution") {
      extension_.solution = true;
    } else if (option == "base0") {
      extension_.base = 0;
    } else if (std::isdigit(static_cast<unsigned char>(option[0])) != 0 && numbers < 2) {
      auto const* number = option.c_str();
      int size = 0;
      auto const [stop, error] = std::from_chars(number, number + option.size(), size);
      if (error != std::errc{} || *stop != '\0' || size < 1 || size > most)
        lines_.fail("a block has \"", option, "\" rows or columns, where 1 to ", most, " are read");
      extension_.block_columns = size;
      if (numbers++ == 0) extension_.block_rows = size;
    } else if (option != "sorted") {
      lines_.fail("\"", option,
                  "\" is no word of AmgX's extension (these are sizes of blocks, sorted, diagonal, "
                  "rhs, solution and base0)");
    }
  }
}

void MarketFile::read_sizes() {
  char const* at = nullptr;
  do {
    if (!lines_.next()) lines_.fail("the file ends before the line of sizes");
    at = skip_space(lines_.begin(), lines_.end());
    auto const* after = at;
    auto const first = lower(word(lines_, after));
    if (dialect_ == Dialect::amgx && (first == "%%amgx" || first == "%%nvamg")) read_extension(after);
  } while (at == lines_.end() || *at == '%');
  rows_ = parse_integer(lines_, at, "the number of rows");
  columns_ = parse_integer(lines_, at, "the number of columns");
  if (coordinate_) entries_ = parse_integer(lines_, at, "the number of entries");
  expect_line_end(lines_, at, "the sizes");
  if (rows_ < 0 || columns_ < 0 || entries_ < 0) lines_.fail("a size is negative");
  auto constexpr limit = std::numeric_limits<Index>::max();
  if (rows_ > limit || columns_ > limit) {
    lines_.fail("the matrix is ", rows_, " x ", columns_,
                ": files of at most 2^31 - 1 rows and columns are read");
  }
  if (!coordinate_) entries_ = rows_ * columns_;
}

Index MarketFile::parse_index(char const*& at, char const* what, GlobalIndex size) const {
  auto const index = parse_integer(lines_, at, what);
  auto const base = extension_.base;
  if (index < base || index >= size + base) {
    lines_.fail(what, " ", index, " is out of range (indices run from ", base, " to ", size + base - 1, ")",
                index == 0 ? ": the file seems to count from 0, where Matrix Market counts from 1" : "");
  }
  return static_cast<Index>(index - base);
}

double MarketFile::parse_value(char const*& at) const {
  at = skip_space(at, lines_.end());
  if (at == lines_.end()) lines_.fail("the value is missing");
  auto const* const begin = at;
  at = token_end(at, lines_.end());
  double value = 0;
  auto const [stop, error] = std::from_chars(begin, at, value);
  if (error != std::errc{} || stop != at || !std::isfinite(value)) {
    value = parse_unusual(lines_, {begin, at});
  }
  if (field_ == Field::integer && value != std::trunc(value)) {
    lines_.fail("value \"", std::string(begin, at), "\" is not an integer, as the banner requires");
  }
  return value;
}

/// Moves to the line of the next entry. False at the end of the file, if all entries have been read.
bool MarketFile::next_entry(GlobalIndex read) {
  bool const followed = extension_.diagonal || extension_.rhs || extension_.solution;
  if (followed && read == entries_) return false;
  bool const more = lines_.next_data();
  if (more && read == entries_) {
    lines_.fail("more than the ", entries_, " entries that the line of sizes announces");
  }
  if (!more && read < entries_) {
    lines_.fail("the file ends after ", read, " of the ", entries_,
                " entries that the line of sizes announces (it may have been cut short)");
  }
  return more;
}

CoordinateEntries MarketFile::coordinate_entries() {
  lines_.go(data_);
  CoordinateEntries result;
  // A line has at least four characters. The bound prevents that a wrong number of entries exhausts the
  // memory.
  auto const expected =
      std::min<std::size_t>(static_cast<std::size_t>(entries_), lines_.likely_bytes() / 4 + 1);
  result.row.reserve(expected);
  result.column.reserve(expected);
  result.value.reserve(expected);
  for (GlobalIndex read = 0; next_entry(read); ++read) {
    auto const* at = lines_.begin();
    result.row.push_back(parse_index(at, "row", rows_));
    result.column.push_back(parse_index(at, "column", columns_));
    result.value.push_back(field_ == Field::pattern ? 1.0 : parse_value(at));
    if (at != lines_.end()) expect_line_end(lines_, at, "the entry");
  }
  return result;
}

std::vector<double> MarketFile::array_values() {
  lines_.go(data_);
  std::vector<double> result;
  result.reserve(std::min<std::size_t>(static_cast<std::size_t>(entries_), lines_.likely_bytes() / 2 + 1));
  for (GlobalIndex read = 0; next_entry(read); ++read) {
    auto const* at = lines_.begin();
    result.push_back(parse_value(at));
    expect_line_end(lines_, at, "the value (an array has one value a line, column by column)");
  }
  return result;
}

std::vector<double> MarketFile::following_values(GlobalIndex count, char const* what) {
  std::vector<double> result;
  result.reserve(std::min<std::size_t>(static_cast<std::size_t>(count), lines_.likely_bytes() / 2 + 1));
  for (GlobalIndex read = 0; read < count; ++read) {
    if (at_ != nullptr) at_ = skip_space(at_, lines_.end());
    if (at_ == nullptr || at_ == lines_.end()) {
      if (!lines_.next_data())
        lines_.fail("the file ends after ", read, " of the ", count, " values of ", what,
                    " (it may have been cut short)");
      at_ = lines_.begin();
    }
    result.push_back(parse_value(at_));
  }
  return result;
}

void MarketFile::expect_end() {
  if (at_ != nullptr) expect_line_end(lines_, at_, "the last value that the extension announces");
  if (lines_.next_data()) lines_.fail("more lines than the sizes and the extension announce");
}

void MarketFile::fail_duplicate(Index row, Index column) {
  if (!lines_.can_go_back()) {
    auto const mirrored = symmetric_ ? core::message(" or (", column + 1, ", ", row + 1, ")") : std::string();
    throw core::InvalidInput(
        core::message(path(), ": entry (", row + 1, ", ", column + 1, ")", mirrored,
                      " is given twice, which Matrix Market forbids: add the two, or remove one"));
  }
  lines_.go(data_);
  GlobalIndex first = 0;
  for (GlobalIndex read = 0; next_entry(read); ++read) {
    auto const* at = lines_.begin();
    auto const i = parse_index(at, "row", rows_);
    auto const j = parse_index(at, "column", columns_);
    if (!(i == row && j == column) && !(symmetric_ && i == column && j == row)) continue;
    if (first != 0) {
      lines_.fail("entry (", i + 1, ", ", j + 1, ") was given in line ", first, " already",
                  symmetric_ ? " (one triangle of a symmetric matrix is given)" : "",
                  ", which Matrix Market forbids: add the two, or remove one");
    }
    first = lines_.number();
  }
  lines_.fail("an entry is given twice");
}

}  // namespace Tessera::market
