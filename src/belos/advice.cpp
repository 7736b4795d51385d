#include "belos/advice.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "belos/manager_parameters.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "multigrid/hierarchy.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::belos {
namespace {

using Vectors = Tpetra::MultiVector<>;

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

bool has_levels_in_float(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Details::Preconditioner const>(M);
  if (ours.is_null()) return false;
  auto const* const report = ours->hierarchyReport();
  return report != nullptr && report->precision == "float";
}

/// Entries of A are rounded to 2^-24 of themselves, which changes (x, A x) by as much of (|x|, |A| |x|).
/// Where that is a large part of (x, A x), levels in float know little of A along x, which is where a coarse
/// correction is needed.
std::string about_float(double energy) {
  return core::message("along x, (x, A x) is ", digits(energy),
                       " of (|x|, |A| |x|), and levels in float are off by 6.0e-08 of that; set ",
                       "`precision: hierarchy` to double");
}

/// Few rows that hold all but a share of ||b||.
struct Concentration {
  double rows = 0, others = 0;  ///< how many, and ||b|| of the others over ||b||
};

/// Rows whose entry is a ten-thousandth of the largest, or more.
Concentration concentration(Vectors const& B, std::size_t column) {
  struct Sums {
    double count = 0, large = 0, small = 0;
    Sums operator+(Sums const& o) const { return {count + o.count, large + o.large, small + o.small}; }
  };
  auto const b = B.getVector(column);
  double const largest = b->normInf();
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  tpetra::ReadColumns const columns(*b);
  auto const term = [values = columns[0].data(), largest](std::size_t i) -> Sums {
    double const b_i = std::abs(values[i]) / largest;
    return b_i >= 1e-4 ? Sums{1, b_i * b_i, 0} : Sums{0, 0, b_i * b_i};
  };
  auto const sums = core::reduce(Host{}, columns[0].size(), term, core::Plus{}, Sums{});
  std::array<double, 3> const mine{sums.count, sums.large, sums.small};
  std::array<double, 3> all{};
  Teuchos::reduceAll(*B.getMap()->getComm(), Teuchos::REDUCE_SUM, 3, mine.data(), all.data());
  return {all[0], std::sqrt(all[2] / (all[1] + all[2]))};
}

/// Whether the norm of b - A x may hide rows: as penalties do, which make few rows as large as one likes.
void warn_of_hidden_rows(KrylovChoice const& choice, Vectors const& B, SolveOutcome& outcome) {
  constexpr double hidden = 1e-3, unmet = 1e4;  // what others hold of ||b||; tolerances of a row
  if (outcome.status != SolveStatus::converged || choice.test == krylov::Test::row_wise) return;
  if (!(outcome.rowError > unmet * choice.tolerance)) return;
  double const n = static_cast<double>(B.getGlobalLength());
  for (std::size_t j = 0; j < B.getNumVectors(); ++j) {
    auto const found = concentration(B, j);
    if (found.rows == 0 || found.rows > n / 4 || found.others > hidden) continue;
    outcome.warnings.push_back(
        core::message(static_cast<long long>(found.rows), " of ", static_cast<long long>(n),
                      " rows hold all but ", digits(found.others),
                      " of ||b||, so that the norm of b - A x says little of the others: the row-wise ",
                      "backward error is ", digits(outcome.rowError), "; if that is a penalty's doing, set `",
                      stopping_test, "` to row-wise, or ask for a smaller tolerance"));
    return;
  }
}

}  // namespace

void advise(KrylovChoice const& choice, Teuchos::RCP<Tpetra::Operator<> const> const& M, Vectors const& B,
            SolveOutcome& outcome) {
  constexpr double eps_of_float = 0x1p-24, many_iterations = 50;
  warn_of_hidden_rows(choice, B, outcome);
  bool const failed = outcome.status == SolveStatus::notConverged || outcome.status == SolveStatus::breakdown;
  if (outcome.energy > (failed ? 64 : 1) * eps_of_float || !has_levels_in_float(M)) return;
  if (failed) {
    outcome.reason += "; " + about_float(outcome.energy);
  } else if (outcome.iterations >= many_iterations) {
    outcome.warnings.push_back("levels in float may cost iterations: " + about_float(outcome.energy));
  }
}

}  // namespace Tessera::belos
