#pragma once
/// \file
/// Sums of one row after another by column, for one thread.
#include <algorithm>

#include "sparse/engine/column_table_host.hpp"

namespace Tessera::sparse::hash {

/// One number and one mark a column: where a sum stands depends on its column alone, not on how many columns
/// came before, so that sums need not wait for each other. row().add(c, term) says whether c is new;
/// take(count, column, value) ends the row.
class RowSums {
 public:
  /// For inner loops, which keep it in registers.
  struct Row {
    Index* mark;
    double* sum;
    Index number;
    bool add(Index c, double term) const {
      bool const is_new = mark[c] != number;
      mark[c] = number;
      sum[c] += term;
      return is_new;
    }
  };
  explicit RowSums(Index columns) : mark_(Host{}, columns), sum_(Host{}, columns + std::size_t{1}) {
    std::fill(mark_.begin(), mark_.end(), Index{-1});
    std::fill(sum_.begin(), sum_.end(), 0.0);
  }
  Row row(Index i) { return {mark_.data(), sum_.data(), i}; }
  /// The sums of these columns, which are all that were added to; from zero again afterwards. Of fewer than
  /// eight, the next places up to the eighth are used as well: they hold columns, or 0.
  void take(Index count, Index const* column, double* value) { take(count, column, sum_.data(), value); }

 private:
  static constexpr Index few = 8;
  static void take(Index count, Index const* __restrict column, double* __restrict sum,
                   double* __restrict value) {
    if (count == 0) return;
    if (count <= few) {  // loops of a constant length, whose ends are never mispredicted
      for (Index s = 0; s < few; ++s) value[s] = sum[column[s]];
      for (Index s = 0; s < few; ++s) sum[column[s]] = 0;
      return;
    }
    for (Index s = 0; s < count; ++s) {
      value[s] = sum[column[s]];
      sum[column[s]] = 0;
    }
  }
  Array<Index, Host> mark_;
  Array<double, Host> sum_;
};

}  // namespace Tessera::sparse::hash
