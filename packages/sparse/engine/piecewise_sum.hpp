#pragma once
/// \file
/// Sums of long rows. A sum of n terms in storage order loses up to n roundings of its partial sums; of a row
/// that couples to 20,000 others, that is more than solvers ask for. Rows of more than longest_plain_row
/// entries are summed in pieces of piece_entries, and what the sum of the pieces rounds off is kept (TwoSum:
/// Knuth 1969; Ogita, Rump, Oishi 2005), so that they lose piece_entries + 2 roundings, however long they
/// are. Other rows keep the bits of the plain loop. Entries that are zero do not count, since formats differ
/// in their padding.
#include <cmath>
#include <type_traits>

#include "core/interleaved.hpp"

namespace Tessera::sparse {

constexpr int longest_plain_row = 256, piece_entries = 8;

/// Whether a sum is numbers alone. Other sums run in storage order for rows of any length.
template <class Sum>
inline constexpr bool in_pieces = std::is_floating_point_v<core::NumberOf<Sum>>;

template <class Sum>
class PiecewiseSum {
 public:
  static constexpr bool counts = true;  ///< whether add() wants to know
  /// counts: whether the entry is not zero.
  TESSERA_HD void add(Sum const& term, bool counts) {
    if (counts && entries_++ % piece_entries == 0) close();
    plain_ += term;
    piece_ += term;
  }
  TESSERA_HD Sum finish() {
    if (entries_ <= longest_plain_row) return plain_;
    close();
    return total_ + rest_;
  }

 private:
  TESSERA_HD void close() {
    auto const sum = total_ + piece_;
    auto const added = sum - total_;
    rest_ += (total_ - (sum - added)) + (piece_ - added);
    total_ = sum;
    piece_ = Sum{};
  }

  Sum plain_{}, piece_{}, total_{}, rest_{};
  int entries_ = 0;
};

/// The same interface for rows that are short.
template <class Sum>
struct PlainSum {
  static constexpr bool counts = false;
  Sum sum{};
  TESSERA_HD void add(Sum const& term, bool) { sum += term; }
  TESSERA_HD Sum const& finish() const { return sum; }
};

namespace detail {

/// Whether a row with so many entries, zeros included, may be summed in pieces.
template <class Sum>
TESSERA_HD constexpr bool in_pieces_of(Offset entries) {
  return in_pieces<Sum> && entries > longest_plain_row;
}

/// The sum of a row of so many entries on the host: walk(add) calls add(term, counts) for each of them.
template <class Sum, class Walk>
Sum row_sum(Offset entries, Walk const& walk) {
  if constexpr (in_pieces<Sum>) {
    if (in_pieces_of<Sum>(entries)) {
      PiecewiseSum<Sum> sum;
      walk([&sum](Sum const& term, bool counts) { sum.add(term, counts); });
      return sum.finish();
    }
  }
  Sum sum{};
  walk([&sum](Sum const& term, bool) { sum += term; });
  return sum;
}

}  // namespace detail

/// What rounding does to a row's sum, relative to what it does to a sum of few terms: roundings of a plain
/// sum add up as a random walk (Higham, Mary 2019). Rows of up to 16 entries weigh 1, since tolerances near
/// the rounding level are measured with such rows (docs/decisions/0017), and so do rows that are summed in
/// pieces.
TESSERA_HD inline double rounding_weight(int entries) {
  return entries <= 16 || entries > longest_plain_row ? 1 : sqrt(entries / 16.0);
}

}  // namespace Tessera::sparse
