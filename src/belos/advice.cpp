#include "belos/advice.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_Vector.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "belos/manager_parameters.hpp"
#include "belos/ties.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "multigrid/hierarchy.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::belos {
namespace {

using Vectors = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;
using Matrix = Tpetra::RowMatrix<>;

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

/// Null where M has none of ours.
multigrid::HierarchyReport const* levels_of(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Details::Preconditioner const>(M);
  return ours.is_null() ? nullptr : ours->hierarchyReport();
}

/// Iterations of multigrid methods grow with the square root of penalties; those of adaptive sparse inverses
/// hardly do (benchmarks/hard.py, elastic bodies tied by springs).
std::string about_ties(Ties const& found) {
  return core::message(
      found.rows, " of ", found.all, " rows couple ", digits(found.ratio),
      " times as strongly as the others or more: where penalties tie bodies, take the sparse "
      "inverse of fsai_adaptive.xml, or penalties a hundredth as large, for a tenth of the "
      "iterations");
}

/// Entries of A are rounded to 2^-24 of themselves, which changes (x, A x) by as much of (|x|, |A| |x|).
/// Where that is a large part of (x, A x), levels in float know little of A along x, which is where a coarse
/// correction is needed.
std::string about_float(double energy) {
  return core::message("along x, (x, A x) is ", digits(energy),
                       " of (|x|, |A| |x|), and levels in float are off by 6.0e-08 of that: ",
                       "`precision: hierarchy` = double may help");
}

/// ||x - M A x||_A / ||x||_A, the largest of all columns: what one application leaves of the error x. Where
/// rounding is to blame, M knows least of A along x. One product with M and two with A.
double left_by_one_application(Matrix const& A, Operator const& M, Vectors const& X) {
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
    double const left = std::sqrt(after[j] / before[j]);
    if (!(left <= largest)) largest = left;  // NaN stays
  }
  return largest;
}

/// Rows held by penalties, and what is left of ||b|| without them, over ||b||.
struct Penalties {
  double rows = 0, others = 0;
};

/// Over some rows, and over the others.
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

/// Rows whose entry of b is a ten-thousandth of the largest or more, and whose diagonal entry is a thousand
/// times the geometric mean of all: a penalty is in both, a source in b alone.
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

/// Whether the norm of b - A x may hide rows: as penalties do, which make few rows as large as one likes.
void warn_of_hidden_rows(KrylovChoice const& choice, Tpetra::RowMatrix<> const& A, Vectors const& B,
                         SolveOutcome& outcome) {
  constexpr double hidden = 1e-3, unmet = 1e4;  // what others hold of ||b||; tolerances of a row
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
        ", so that the norm of b - A x says little of the others: the row-wise ", "backward error is ",
        digits(outcome.rowError), "; set `", stopping_test, "` to row-wise, or ask for a smaller tolerance"));
    return;
  }
}

/// In the reason of a solve that has failed, in the warnings of another.
void say(bool failed, std::string const& text, SolveOutcome& outcome) {
  if (failed)
    outcome.reason += "; " + text;
  else
    outcome.warnings.push_back(text);
}

}  // namespace

void advise(KrylovChoice const& choice, Matrix const& A, Teuchos::RCP<Operator const> const& M,
            Vectors const& B, Vectors const& X, SolveOutcome& outcome) {
  // A singular Laplacian of 900 rows shifted by 1e-8, 1e-10 and 1e-12: cycles in float take 1.1, 1.4 and 2.7
  // times the iterations of cycles in double. With the last shift, one application leaves more than
  // `reduced`.
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
    if (ties.rows > 0) return say(failed, about_ties(ties), outcome);
  }
  if (!asks_float || levels->precision != "float" || left_by_one_application(A, *M, X) < reduced) return;
  say(failed, "levels in float may cost iterations: " + about_float(outcome.energy), outcome);
}

}  // namespace Tessera::belos
