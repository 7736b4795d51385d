#include "belos/ties.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <cmath>
#include <vector>

#include "tpetra/compatibility.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::belos {
namespace {

constexpr int least_exponent = -1074, exponents = 2100, gap = 7;  // of powers of two

/// How many rows have a diagonal entry of each power of two, of all ranks.
std::vector<long long> histogram(tpetra::MultiVector const& diagonal) {
  std::vector<long long> mine(exponents, 0), all(exponents, 0);
  tpetra::ReadColumns const columns(diagonal);
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    double const a = std::abs(columns[0][i]);
    if (a > 0 && std::isfinite(a)) ++mine[std::ilogb(a) - least_exponent];
  }
  Teuchos::reduceAll(*diagonal.getMap()->getComm(), Teuchos::REDUCE_SUM, exponents, mine.data(), all.data());
  return all;
}

/// Where diagonals lie behind a gap above the median.
struct Gap {
  int before = 0, after = 0;  ///< bins; equal: there is none
};

Gap find_gap(std::vector<long long> const& counts, long long all) {
  int median = 0;
  for (long long below = 0; median < exponents; ++median) {
    below += counts[median];
    if (2 * below >= all) break;
  }
  int before = median;
  for (int bin = median + 1; bin < exponents; ++bin) {
    if (counts[bin] == 0) continue;
    if (bin - before > gap) return {before, bin};
    before = bin;
  }
  return {};
}

/// The rows whose diagonal is at least `least` and whose other entries' magnitudes sum to a tenth of it.
long long count_tied(tpetra::RowMatrix const& A, double least) {
  auto const n = tpetra::local_size(*A.getRowMap());
  auto const& row_map = *A.getRowMap();
  auto const& column_map = *A.getColMap();
  long long mine = 0, all = 0;
  tpetra::with_rows(A, [&](auto const& rows) {
    for (std::size_t i = 0; i < n; ++i) {
      auto const row = rows.row(static_cast<Index>(i));
      auto const self =
          column_map.getLocalElement(row_map.getGlobalElement(static_cast<tpetra::LocalOrdinal>(i)));
      double diagonal = 0, others = 0;
      for (Offset k = 0; k < row.count; ++k)
        (row.column[k] == self ? diagonal : others) += std::abs(row.value[k]);
      mine += diagonal >= least && others >= 0.1 * diagonal ? 1 : 0;
    }
  });
  Teuchos::reduceAll(*row_map.getComm(), Teuchos::REDUCE_SUM, mine, Teuchos::outArg(all));
  return all;
}

}  // namespace

Ties find_ties(Tpetra::RowMatrix<> const& A) {
  tpetra::MultiVector diagonal(A.getRowMap(), 1);
  A.getLocalDiagCopy(*diagonal.getVectorNonConst(0));
  Ties found;
  found.all = static_cast<long long>(A.getGlobalNumRows());
  auto const [before, after] = find_gap(histogram(diagonal), found.all);
  if (after == before) return found;
  found.rows = count_tied(A, std::ldexp(1.0, after + least_exponent));
  found.ratio = std::ldexp(1.0, after - before - 1);
  return found;
}

}  // namespace Tessera::belos
