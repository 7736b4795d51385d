#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <cmath>

#include "tpetra/row_access.hpp"
#include "tpetra/types.hpp"
#include "tuning/search.hpp"

namespace Tessera::tuning {
namespace {

constexpr double weak_below = 0.25;
constexpr double dominant_from = 1.5;

/// Counts of one rank, or of all.
struct Counts {
  long long couplings = 0, positive = 0, weak = 0, dominant = 0, not_zero_sum = 0;
  double largest = 0, inverse_of_smallest = 0;  ///< of |a_ii|
};

/// Counts rows one by one.
class Count {
 public:
  Count(tpetra::RowMatrix const& A, int equations) : equations_(equations) {
    auto const& rows = *A.getRowMap();
    auto const& columns = *A.getColMap();
    for (int c = 0; columns.isNodeLocalElement(c); ++c)
      row_.push_back(rows.getLocalElement(columns.getGlobalElement(c)));
  }

  void add(tpetra::LocalOrdinal i, tpetra::RowView const& row) {
    double diagonal = 0, off_diagonal = 0, sum = 0, largest = 0;
    for (Offset k = 0; k < row.count; ++k) {
      double const a = row.value[k];
      sum += a;
      if (row_[row.column[k]] == i)
        diagonal += a;
      else
        off_diagonal += std::abs(a);
      if (is_coupling(i, row, k)) largest = std::max(largest, std::abs(a));
    }
    for (Offset k = 0; k < row.count; ++k) {
      if (!is_coupling(i, row, k)) continue;
      ++counts_.couplings;
      counts_.positive += row.value[k] > 0 ? 1 : 0;
      counts_.weak += std::abs(row.value[k]) < weak_below * largest ? 1 : 0;
    }
    diagonal = std::abs(diagonal);
    counts_.dominant += diagonal >= dominant_from * off_diagonal ? 1 : 0;
    counts_.not_zero_sum += std::abs(sum) > 1e-12 * (diagonal + off_diagonal) ? 1 : 0;
    counts_.largest = std::max(counts_.largest, diagonal);
    if (diagonal > 0) counts_.inverse_of_smallest = std::max(counts_.inverse_of_smallest, 1 / diagonal);
  }

  Counts const& counts() const { return counts_; }

 private:
  /// All rows of a node are on one rank.
  bool is_coupling(tpetra::LocalOrdinal i, tpetra::RowView const& row, Offset k) const {
    auto const j = row_[row.column[k]];
    return row.value[k] != 0 && (j < 0 || j / equations_ != i / equations_);
  }

  std::vector<tpetra::LocalOrdinal> row_;  ///< local row of each local column; negative: on another rank
  int equations_;
  Counts counts_;
};

Counts of_all(Teuchos::Comm<int> const& comm, Counts const& mine) {
  long long const counts[] = {mine.couplings, mine.positive, mine.weak, mine.dominant, mine.not_zero_sum};
  double const sizes[] = {mine.largest, mine.inverse_of_smallest};
  long long sums[5];
  double largest[2];
  Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, 5, counts, sums);
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, 2, sizes, largest);
  return {sums[0], sums[1], sums[2], sums[3], sums[4], largest[0], largest[1]};
}

double share(long long part, long long whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

TuneFacts matrix_facts(tpetra::RowMatrix const& A, int equations) {
  Count count(A, equations);
  tpetra::with_rows(A, [&](auto const& rows) {
    for (std::size_t i = 0; i < tpetra::local_size(*A.getRowMap()); ++i)
      count.add(static_cast<int>(i), rows.row(static_cast<Index>(i)));
  });
  auto const counts = of_all(*A.getComm(), count.counts());
  TuneFacts facts;
  facts.rows = static_cast<long long>(A.getGlobalNumRows());
  facts.nonzeros = static_cast<long long>(A.getGlobalNumEntries());
  facts.equations = equations;
  facts.positive = share(counts.positive, counts.couplings);
  facts.weak = share(counts.weak, counts.couplings);
  facts.dominant = share(counts.dominant, facts.rows);
  facts.jump = std::max(1.0, counts.largest * counts.inverse_of_smallest);
  facts.singular = counts.not_zero_sum == 0;
  return facts;
}

}  // namespace Tessera::tuning
