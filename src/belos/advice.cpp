#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <Tpetra_Vector.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "belos/diagnosis.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "multigrid/reported_levels.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::belos {

namespace {

using Vectors = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;
using Matrix = Tpetra::RowMatrix<>;

struct Ties {
  long long rows = 0, all = 0;  ///< rows coupled to other rows by penalties, and all rows
  double ratio = 1;             ///< lower bound of their diagonal entries, relative to all smaller ones
};

constexpr int least_exponent = -1074, exponents = 2100, gap = 7;  // of powers of two

/// The number of rows of all ranks whose diagonal entry has each binary exponent.
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

/// The first gap above the median of the diagonal entries.
struct Gap {
  int before = 0, after = 0;  ///< bins on both sides; equal: no gap
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

/// Counts the rows with a diagonal entry of at least `least` and off-diagonal magnitudes of a tenth of it.
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

/// Rows whose diagonal entries exceed those of at least half of the rows by a gap of two decades, and which
/// couple to other rows as strongly. Rows in which a penalty fixes a value couple weakly, and multigrid
/// treats them well: they do not count. No rows if there is no gap. Collective.
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

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

/// Null if M is no multigrid preconditioner of Tessera.
multigrid::HierarchyReport const* levels_of(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Details::Preconditioner const>(M);
  return ours.is_null() ? nullptr : ours->hierarchyReport();
}

/// The iterations of multigrid methods grow with the square root of the penalties; those of adaptive sparse
/// inverses hardly do (benchmarks/hard.py, elastic bodies tied by springs).
std::string ties_advice(Ties const& found) {
  return core::message(
      found.rows, " of ", found.all, " rows couple ", digits(found.ratio),
      " times as strongly as the others or more: where penalties tie bodies, take the sparse "
      "inverse of fsai_adaptive.xml, or penalties a hundredth as large, for a tenth of the "
      "iterations");
}

/// Float rounds the entries of A by a relative 2^-24, which changes (x, A x) by 2^-24 (|x|, |A| |x|). If that
/// is a large part of (x, A x), levels in float do not represent A along x, where the coarse correction is
/// needed.
std::string float_advice(double energy) {
  return core::message("along x, (x, A x) is ", digits(energy),
                       " of (|x|, |A| |x|), and levels in float are off by 6.0e-08 of that: ",
                       "`precision: hierarchy` = double may help");
}

/// ||x - M A x||_A / ||x||_A, maximum over the columns: the error of x = 0 after one application, relative to
/// that before. If rounding is the cause, M approximates A^-1 least along x. One product with M, two with A.
double error_after_one_application(Matrix const& A, Operator const& M, Vectors const& X) {
  auto const columns = X.getNumVectors();
  Vectors Y(A.getRangeMap(), columns), E(X, Teuchos::Copy);
  std::vector<double> before(columns), after(columns);
  A.apply(X, Y);
  X.dot(Y, Teuchos::arrayViewFromVector(before));
  Vectors MY(X.getMap(), columns);
  M.apply(Y, MY);
  E.update(-1, MY, 1);
  A.apply(E, Y);
  E.dot(Y, Teuchos::arrayViewFromVector(after));
  double largest = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    double const ratio = std::sqrt(after[j] / before[j]);
    if (!(ratio <= largest)) largest = ratio;  // also for NaN
  }
  return largest;
}

/// The number of rows with penalties, and the norm of b without these rows relative to ||b||.
struct Penalties {
  double rows = 0, others = 0;
};

/// A count and a sum over some rows, and the sum over the others.
struct PenaltySums {
  double rows = 0, sum = 0, others = 0;
  TESSERA_HD PenaltySums operator+(PenaltySums const& o) const {
    return {rows + o.rows, sum + o.sum, others + o.others};
  }
};

PenaltySums sum_up(Teuchos::Comm<int> const& comm, PenaltySums const& sums) {
  std::array<double, 3> const mine{sums.rows, sums.sum, sums.others};
  std::array<double, 3> all{};
  Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, 3, mine.data(), all.data());
  return {all[0], all[1], all[2]};
}

/// Rows whose entry of b is at least 1e-4 of the largest, and whose diagonal entry is at least 1000 times the
/// geometric mean: a penalty enters both, a source enters b alone.
Penalties penalties(Tpetra::RowMatrix<> const& A, Vectors const& B, std::size_t column) {
  constexpr double of_largest = 1e-4, of_mean = 1e3;
  auto const b = B.getVector(column);
  double const largest = b->normInf();
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  Tpetra::Vector<> diagonal(A.getRowMap());
  A.getLocalDiagCopy(diagonal);
  tpetra::ReadColumns const of_b(*b), of_A(diagonal);
  auto const *const value = of_b[0].data(), *const d = of_A[0].data();
  auto const& comm = *A.getComm();
  auto const logarithm = [d](std::size_t i) -> PenaltySums {
    return d[i] > 0 ? PenaltySums{1, std::log(d[i]), 0} : PenaltySums{};
  };
  auto const means =
      sum_up(comm, core::reduce(Host{}, of_A[0].size(), logarithm, core::Plus{}, PenaltySums{}));
  double const least = of_mean * std::exp(means.sum / std::max(1.0, means.rows));
  auto const term = [=](std::size_t i) -> PenaltySums {
    double const b_i = std::abs(value[i]) / largest;
    return b_i >= of_largest && d[i] > least ? PenaltySums{1, b_i * b_i, 0} : PenaltySums{0, 0, b_i * b_i};
  };
  auto const found = sum_up(comm, core::reduce(Host{}, of_b[0].size(), term, core::Plus{}, PenaltySums{}));
  return {found.rows, std::sqrt(found.others / (found.sum + found.others))};
}

/// Warns if few rows with penalties dominate the norm of b, so that the norm of b - A x hides all other rows.
void warn_of_hidden_rows(KrylovChoice const& choice, Tpetra::RowMatrix<> const& A, Vectors const& B,
                         SolveOutcome& outcome) {
  constexpr double hidden = 1e-3, unmet = 1e4;  // share of ||b|| in other rows; row error / tolerance
  if (outcome.status != SolveStatus::converged || choice.test == krylov::Test::row_wise) return;
  if (!(outcome.rowError > unmet * choice.tolerance)) return;
  double const n = static_cast<double>(B.getGlobalLength());
  for (std::size_t j = 0; j < B.getNumVectors(); ++j) {
    auto const found = penalties(A, B, j);
    if (found.rows == 0 || found.rows > n / 4 || found.others > hidden) continue;
    auto const share = found.others > 0 ? "all but " + digits(found.others) + " of ||b||" : "all of ||b||";
    outcome.warnings.push_back(core::message(
        static_cast<long long>(found.rows), " of ", static_cast<long long>(n),
        " rows, with large diagonal entries as penalties have them, hold ", share,
        ", so that the norm of b - A x hides the other rows: the row-wise ", "backward error is ",
        digits(outcome.rowError), "; set `", stopping_test, "` to row-wise, or ask for a smaller tolerance"));
    return;
  }
}

/// Appends to the reason of a failed solve, or to the warnings of any other.
void add_advice(bool failed, std::string const& text, SolveOutcome& outcome) {
  if (failed)
    outcome.reason += "; " + text;
  else
    outcome.warnings.push_back(text);
}

}  // namespace

void advise(KrylovChoice const& choice, Matrix const& A, Teuchos::RCP<Operator const> const& M,
            Vectors const& B, Vectors const& X, SolveOutcome& outcome) {
  // A singular Laplacian of 900 rows, shifted by 1e-8, 1e-10 and 1e-12: cycles in float take 1.1, 1.4 and 2.7
  // times the iterations of cycles in double. Only for the last shift does the error after one application
  // exceed `reduced`.
  constexpr double eps_of_float = 0x1p-24, reduced = 0.05;
  constexpr int many_iterations = 50, slow = 200;
  warn_of_hidden_rows(choice, A, B, outcome);
  bool const failed = outcome.status == SolveStatus::notConverged || outcome.status == SolveStatus::breakdown;
  bool const asks_ties = failed || outcome.iterations >= slow;
  bool const asks_float =
      (failed || outcome.iterations >= many_iterations) && outcome.energy <= (failed ? 64 : 1) * eps_of_float;
  if (!asks_ties && !asks_float) return;
  auto const* const levels = levels_of(M);
  if (levels == nullptr) return;
  if (asks_ties) {
    auto const ties = find_ties(A);
    if (ties.rows > 0) return add_advice(failed, ties_advice(ties), outcome);
  }
  auto const& precision = levels->precision;
  if (!asks_float || precision == "double" || error_after_one_application(A, *M, X) < reduced) return;
  add_advice(failed, "levels in " + precision + " may cost iterations: " + float_advice(outcome.energy),
             outcome);
}

}  // namespace Tessera::belos
