#include "cli/tune_facts.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "ifpack2/report.hpp"
#include "tpetra/row_access.hpp"

namespace Tessera::cli {
namespace {

/// Of one rank, and then of all.
struct Counts {
  long long couplings = 0, positive = 0, weak = 0, dominant = 0, not_zero_sum = 0;
  double largest = 0, inverse_of_smallest = 0;  ///< of |a_ii|
};

/// Adds up one row after another.
class Count {
 public:
  Count(tpetra::CrsMatrix const& A, int equations)
      : rows_(*A.getRowMap()), columns_(*A.getColMap()), equations_(equations) {}

  void add(tpetra::LocalOrdinal i, tpetra::RowView const& row) {
    auto const me = rows_.getGlobalElement(i);
    double diagonal = 0, beside = 0, sum = 0, largest = 0;
    for (Offset k = 0; k < row.count; ++k) {
      double const a = row.value[k];
      sum += a;
      if (columns_.getGlobalElement(row.column[k]) == me)
        diagonal += a;
      else
        beside += std::abs(a);
      if (is_coupling(me, row, k)) largest = std::max(largest, std::abs(a));
    }
    for (Offset k = 0; k < row.count; ++k) {
      if (!is_coupling(me, row, k)) continue;
      ++counts_.couplings;
      counts_.positive += row.value[k] > 0 ? 1 : 0;
      counts_.weak += std::abs(row.value[k]) < weak_below * largest ? 1 : 0;
    }
    diagonal = std::abs(diagonal);
    counts_.dominant += diagonal >= dominant_from * beside ? 1 : 0;
    counts_.not_zero_sum += std::abs(sum) > 1e-12 * (diagonal + beside) ? 1 : 0;
    counts_.largest = std::max(counts_.largest, diagonal);
    if (diagonal > 0) counts_.inverse_of_smallest = std::max(counts_.inverse_of_smallest, 1 / diagonal);
  }

  Counts const& counts() const { return counts_; }

 private:
  bool is_coupling(tpetra::GlobalOrdinal me, tpetra::RowView const& row, Offset k) const {
    return row.value[k] != 0 && columns_.getGlobalElement(row.column[k]) / equations_ != me / equations_;
  }

  tpetra::Map const& rows_;
  tpetra::Map const& columns_;
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

std::string percent(double share) {
  return ifpack2::formatted("%.0f %%", 100 * share);
}

}  // namespace

MatrixFacts look_at(LinearSystem const& system) {
  auto const& data = system.data;
  auto const& A = *data.matrix;
  Count count(A, data.equations);
  tpetra::with_rows(A, [&](auto const& rows) {
    for (std::size_t i = 0; i < tpetra::local_size(*A.getRowMap()); ++i)
      count.add(static_cast<int>(i), rows.row(static_cast<Index>(i)));
  });
  auto const counts = of_all(system.comm(), count.counts());
  MatrixFacts facts;
  facts.rows = static_cast<long long>(A.getGlobalNumRows());
  facts.nonzeros = static_cast<long long>(A.getGlobalNumEntries());
  facts.equations = data.equations;
  facts.nullspace = data.nullspace.is_null() ? 0 : static_cast<int>(data.nullspace->getNumVectors());
  facts.coordinates = !data.coordinates.is_null();
  facts.positive = share(counts.positive, counts.couplings);
  facts.weak = share(counts.weak, counts.couplings);
  facts.dominant = share(counts.dominant, facts.rows);
  facts.jump = std::max(1.0, counts.largest * counts.inverse_of_smallest);
  facts.singular = counts.not_zero_sum == 0;
  return facts;
}

std::string words(MatrixFacts const& facts) {
  auto text = core::message(facts.equations, facts.equations == 1 ? " equation" : " equations", " a node, ");
  if (facts.nullspace > 0)
    text += core::message(facts.nullspace, " near-nullspace vectors");
  else
    text += facts.coordinates ? "coordinates" : "no near-nullspace";
  text += " given; of the couplings " + percent(facts.positive) + " positive, " + percent(facts.weak) +
          " weak (below a quarter of the largest of their row); " + percent(facts.dominant) +
          " of the rows strongly dominated by the diagonal, which varies by " +
          ifpack2::formatted("%.1e", facts.jump);
  return text + (facts.singular ? "; singular (A times ones is 0)" : "");
}

}  // namespace Tessera::cli
