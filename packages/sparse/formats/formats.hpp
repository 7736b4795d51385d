#pragma once
/// \file
/// The storage formats for multiplication, and a matrix of this rank in one of them.
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

#include "sparse/engine/csr_rows.hpp"
#include "sparse/formats/ellpack.hpp"
#include "sparse/formats/half_rows.hpp"
#include "sparse/formats/sell.hpp"

namespace Tessera::sparse {

enum class MatrixFormat { automatic, csr, sell, ellpack_r, pjds, hyb, sell_runs };

/// Their names, in the order of their values.
inline constexpr std::pair<char const*, MatrixFormat> matrix_formats[] = {
    {"auto", MatrixFormat::automatic},     {"CSR", MatrixFormat::csr},
    {"SELL-C-sigma", MatrixFormat::sell},  {"ELLPACK-R", MatrixFormat::ellpack_r},
    {"pJDS", MatrixFormat::pjds},          {"HYB", MatrixFormat::hyb},
    {"SELL-runs", MatrixFormat::sell_runs}};

struct StorageParameters {
  MatrixFormat format = MatrixFormat::automatic;
  int chunk_size = 32;  ///< C of SELL-C-sigma
  int sigma = 256;
  /// CSR refers to the pattern of the source, and to its values if the types are equal; the source must stay
  /// in memory. False: CSR is a copy. Other formats are always copies.
  bool borrow = false;
  bool half = false;      ///< a matrix in float has its entries in Half
  bool row_sums = false;  ///< where half, the diagonal has the digits that keep the sums of rows
};

/// Some of a matrix' rows.
template <class Space>
struct RowSet {
  bool all = false;
  Array<Index, Space> list;  ///< ascending, unless all

  template <class T>
  CsrRows<T> of(CsrView<T> A) const {
    return all ? all_rows(A) : listed_rows(A, list.view());
  }
};

/// Rows of a CSR that this does not own.
template <class T, class Space>
struct CsrPart {
  CsrView<T> matrix;
  RowSet<Space> rows;
  CsrRows<T> view() const { return rows.of(matrix); }
  std::size_t bytes() const { return rows.list.bytes(); }
  std::size_t product_bytes() const { return bytes(); }
};

/// Some rows of a matrix in any format. pJDS and SELL-runs are a Sell.
template <class T, class Space>
using StoredRows = std::variant<CsrPart<T, Space>, Sell<T, Space>, EllpackR<T, Space>, Hyb<T, Space>>;

template <class Space>
struct HalfRows;

/// A matrix of this rank, stored for multiplication in two sets of rows. `automatic` chooses the format that
/// moves the fewest bytes in a product, by the lengths of rows: SELL-C-sigma, HYB or CSR. Bytes of CSR count
/// a quarter more, since CSR is slower at equal bytes; hyb_shape() gives the cost of HYB. The other formats
/// are never better: ELLPACK-R moves the bytes of SELL-C-sigma and takes more memory, and pJDS reads x out of
/// order. On a GPU, very few rows are CSR, and many long rows are SELL-runs if that moves fewer bytes.
///
/// With StorageParameters::half, a row is stored in Half, divided by a power of two (core/half.hpp). The
/// error of an entry is at most 2^-11 of it, or 2^-39 of its row's largest, so symmetric matrices stay
/// symmetric up to the latter. With row_sums, the diagonal takes up the errors of the other entries, to 22
/// bits: for a symmetric A the error is E with E 1 = 0, so that |(e, E e)| <= 2^-12 sum of |a_ij| (e_i -
/// e_j)^2, which is at most 2^-11 (e, A e) for an M-matrix. Without it, E may exceed A for vectors of little
/// energy.
template <class T, class Space>
class SplitRows {
 public:
  /// Half: rounded before, by HalfRows.
  using Source = std::conditional_t<std::is_same_v<T, Half>, Half, double>;
  SplitRows() = default;
  /// \throws core::InvalidInput as the format's store_rows
  SplitRows(Space const& space, CsrView<Source> A, RowSet<Space> first, RowSet<Space> second,
            StorageParameters const& parameters);

  /// New values on the same pattern; allocates nothing, except for rounded entries where half.
  void refresh(Space const& space, CsrView<Source> A);

  /// Calls visitor(view) with the first or the second set of rows, for sparse/engine/row_reduce.hpp.
  template <class Visitor>
  void visit_first(Visitor const& visitor) const {
    if constexpr (std::is_same_v<T, float>) {
      if (half_) return half_->rows.visit_first(half_->scaled(visitor));
    }
    std::visit([&](auto const& part) { visitor(part.view()); }, first_);
  }
  template <class Visitor>
  void visit_second(Visitor const& visitor) const {
    if constexpr (std::is_same_v<T, float>) {
      if (half_) return half_->rows.visit_second(half_->scaled(visitor));
    }
    std::visit([&](auto const& part) { visitor(part.view()); }, second_);
  }

  /// Whether the source must keep its pattern, or its values.
  bool borrows_pattern() const { return borrow_ && is_csr(); }
  bool borrows_values() const { return borrows_pattern() && std::is_same_v<T, double>; }
  /// Its name; never automatic.
  char const* format() const { return matrix_formats[static_cast<std::size_t>(format_)].first; }
  std::size_t bytes() const;
  /// Bytes of the matrix that a product reads: values, columns, offsets, and the list of rows if there is
  /// one.
  std::size_t product_bytes() const;

 private:
  bool is_csr() const { return format_ == MatrixFormat::csr; }
  /// The format of `automatic`. If it is SELL-C-sigma or SELL-runs, the rows are stored already.
  MatrixFormat choose(Space const& space, CsrView<Source> A, RowSet<Space> const& first,
                      RowSet<Space> const& second, StorageParameters const& parameters);

  MatrixFormat format_ = MatrixFormat::csr;
  bool borrow_ = false;
  StoredRows<T, Space> first_, second_;
  Csr<T, Space> csr_;                      ///< arrays of CSR that are not borrowed
  std::unique_ptr<HalfRows<Space>> half_;  ///< instead of the rows above; null: none

  template <class, class>
  friend class SplitRows;
};

/// A matrix in Half, whose rows are those of ScaledRows.
template <class Space>
struct HalfRows {
  Array<unsigned char, Space> exponent;
  Array<Half, Space> rest;  ///< empty: the sums of rows are not kept
  SplitRows<Half, Space> rows;

  /// Calls work with A rounded.
  template <class Work>
  void round(Space const& space, CsrView<double> A, Work const& work);
  template <class Visitor>
  auto scaled(Visitor const& visitor) const {
    return [&](auto const& view) {
      visitor(ScaledRows<std::decay_t<decltype(view)>>{view, {exponent.data(), rest.data()}});
    };
  }
  std::size_t scale_bytes() const { return exponent.bytes() + rest.bytes(); }
};

/// Rounds the values of A to those that Half stores without loss, also in the transpose. An entry takes up
/// the rounding errors of the entries of its row before it, and the smallest one those of all: the sums of
/// rows change by 2^-12 of their smallest entry.
template <class Space>
void round_to_half(Space const& space, CsrView<double> A, Span<double> values);

}  // namespace Tessera::sparse
