#include "fsai/postfilter.hpp"

#include <cmath>
#include <vector>

#include "fsai/positions_host.hpp"
#include "sparse/engine/row_blocks_host.hpp"

namespace Tessera::fsai {
namespace {

/// What a row knows of its entries: value and marks, from its first entry on.
struct Row {
  Index const* column;
  double* value;
  Index size;
};

/// One thread's scaling of rows by what left them.
template <class Positions>
class Scaling {
 public:
  Scaling(sparse::CsrView<double> A, Positions positions) : A_(A), positions_(std::move(positions)) {}

  /// Divides what is kept by sqrt(1 + eps^T A eps).
  void operator()(Row row, unsigned char const* keep) {
    dropped_.clear();
    epsilon_.clear();
    for (Index a = 0; a < row.size; ++a) {
      if (keep[a] != 0) continue;
      dropped_.push_back(row.column[a]);
      epsilon_.push_back(row.value[a]);
    }
    if (dropped_.empty()) return;
    double const factor = 1.0 / std::sqrt(1.0 + energy());
    for (Index a = 0; a < row.size; ++a) {
      if (keep[a] != 0) row.value[a] *= factor;
    }
  }

 private:
  /// eps^T A eps
  double energy() {
    auto const count = static_cast<Index>(dropped_.size());
    positions_.set(dropped_.data(), count);
    double sum = 0;
    for (Index a = 0; a < count; ++a) {
      auto const p = dropped_[a];
      double product = 0;
      for (Offset k = A_.offsets[p]; k < A_.offsets[p + 1]; ++k) {
        auto const b = positions_.find(A_.column[k]);
        if (b >= 0) product += A_.value[k] * epsilon_[b];
      }
      sum += epsilon_[a] * product;
    }
    positions_.clear(dropped_.data(), count);
    return sum;
  }

  sparse::CsrView<double> A_;
  Positions positions_;
  std::vector<Index> dropped_;
  std::vector<double> epsilon_;
};

/// keep of one row, where stays(a) or a is the last; returns how many stay.
template <class Stays>
Index mark(Row row, unsigned char* keep, Stays const& stays) {
  Index kept = 0;
  for (Index a = 0; a < row.size; ++a) {
    keep[a] = a + 1 == row.size || stays(a) ? 1 : 0;
    kept += keep[a];
  }
  return kept;
}

Index mark(Row row, double delta, unsigned char* keep) {
  double squares = 0;
  for (Index a = 0; a < row.size; ++a) squares += row.value[a] * row.value[a];
  double const least = delta * std::sqrt(squares);
  return mark(row, keep, [=](Index a) { return std::fabs(row.value[a]) > least; });
}

/// In the energy norm. diagonal: of A.
Index mark(Row row, double delta, Span<double const> diagonal, unsigned char* keep) {
  double const least = delta * delta;
  return mark(row, keep,
              [=](Index a) { return row.value[a] * row.value[a] * diagonal[row.column[a]] > least; });
}

/// visit(scaling, r, row) for all rows.
template <class Visit>
void for_each_row(LowerRows const& rows, PatternView pattern, Span<double> value, Visit const& visit) {
  with_positions(rows.A.columns, [&](auto const& make_positions) {
    using Positions = decltype(make_positions());
    struct Worker {
      PatternView pattern;
      Span<double> value;
      Visit visit;
      Scaling<Positions> scaling;
      void operator()(Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
          auto const from = pattern.offsets[r];
          visit(scaling, r,
                Row{pattern.column.data() + from, value.data() + from,
                    static_cast<Index>(pattern.offsets[r + 1] - from)});
        }
      }
    };
    sparse::for_row_blocks(pattern.rows, [&] {
      return Worker{pattern, value, visit, Scaling<Positions>(rows.A, make_positions())};
    });
  });
}

}  // namespace

template <>
void postfilter(Host const& space, LowerRows const& rows, PatternView pattern, double delta,
                PostfilterNorm norm, Span<double> value, Span<unsigned char> keep, Span<Index> kept) {
  auto const a_jj = energy_diagonal(space, rows, norm);
  for_each_row(rows, pattern, value, [=, diagonal = a_jj.view()](auto& scaling, Index r, Row row) {
    auto* const marks = keep.data() + pattern.offsets[r];
    kept[r] = diagonal.empty() ? mark(row, delta, marks) : mark(row, delta, diagonal, marks);
    scaling(row, marks);
  });
}

template <>
void rescale(Host const&, LowerRows const& rows, PatternView pattern, Span<unsigned char const> keep,
             Span<double> value) {
  for_each_row(rows, pattern, value,
               [=](auto& scaling, Index r, Row row) { scaling(row, keep.data() + pattern.offsets[r]); });
}

}  // namespace Tessera::fsai
