#include "krylov/conjugate_gradients.hpp"

#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "krylov/recurrence.hpp"

namespace Tessera::krylov {
namespace {

/// A residual with two digits.
std::string digits(double value) {
  if (std::isnan(value)) return core::text(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

}  // namespace

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * share);
  return text;
}

char const* name(Stop stop) {
  switch (stop) {
    case Stop::converged:
      return "converged";
    case Stop::max_iterations:
      return "the largest number of iterations was reached";
    case Stop::indefinite_matrix:
      return "the matrix is not positive definite";
    case Stop::indefinite_preconditioner:
      return "the preconditioner is not positive definite";
    case Stop::not_finite:
      return "a number was not finite";
    case Stop::stagnated:
      return "the true residual stagnated";
    case Stop::rounding_level:
      return "the rounding level was reached";
    case Stop::singular:
      return "the matrix is singular, and the right-hand side is out of its range";
  }
  return "unknown";
}

std::string rounding_level_text(double residual, double tolerance, double backward_error) {
  return core::message(
      "reached the rounding level ", digits(residual), " (asked for ", tolerance, "; backward error ",
      digits(backward_error),
      "): rounding in double precision lets b - A x go no lower for this system; ask for less");
}

std::string stagnated_text(double residual, double tolerance, double rounding_level) {
  return core::message("stagnated at ", digits(residual), " (asked for ", tolerance, "; rounding explains ",
                       digits(rounding_level), " of it): another preconditioner or method may come lower");
}

std::string diverged_text(double growth) {
  return core::message("the method diverges: b - A x is ", digits(growth),
                       " times what it was at the start; use a Krylov method, or a better preconditioner");
}

std::string grown_text(double growth, bool may_rise) {
  auto const grown = core::message("b - A x is ", digits(growth), " times what it was at the start");
  return may_rise ? grown + ", as it may be under conjugate gradients while the error falls; allow more " +
                        "iterations or use a better preconditioner"
                  : grown + "; use a better preconditioner, or GMRES";
}

std::string out_of_range_text() {
  return "the solution of the scaled system has entries that are too large or too small for double "
         "precision; "
         "scale the right-hand side";
}

std::string row_wise_text(double row_error, double tolerance) {
  return core::message("the row-wise backward error is ", digits(row_error), ", not ", tolerance);
}

std::string singular_text(double share, std::string const& where) {
  return core::message(
      "the matrix is singular, and ", percent(share), " of the right-hand side lies in its ",
      "nullspace, where no solution reaches", where.empty() ? "" : ": ", where,
      "; take that part out of the right-hand side (its mean, where constants are the nullspace), or fix ",
      "the solution in one unknown of each component");
}

std::string not_finite_text(char const* what, double value) {
  return core::message(what, " is ", value,
                       "; look for numbers that are not finite, or too large to be squared, in the matrix, ",
                       "the right-hand side, the start vector and the preconditioner");
}

std::string indefinite_matrix_text(char const* energy, double value) {
  return core::message(energy, " is ", value,
                       ", so the matrix is not positive definite; use GMRES or fix the matrix");
}

char const* advice_on_preconditioners() {
  return "; use one that is symmetric, with as many sweeps after as before the coarse correction, or GMRES";
}

std::string indefinite_preconditioner_text(double rz) {
  return core::message("(r, M^-1 r) is ", rz, ", so the preconditioner is not positive definite",
                       advice_on_preconditioners());
}

std::string explain(Result const& result, double failed, Parameters const& parameters) {
  auto const start = core::message("conjugate gradients stopped after ", result.iterations, " iterations: ");
  switch (result.stop) {
    case Stop::converged:
      return {};
    case Stop::max_iterations:
      if (parameters.test == Test::row_wise) {
        return core::message(start, row_wise_text(result.row_error, parameters.tolerance),
                             "; allow more iterations or use a better preconditioner");
      }
      return core::message(start, "the relative residual is ", result.relative_residual, ", not ",
                           parameters.tolerance, "; allow more iterations or use a better preconditioner");
    case Stop::indefinite_matrix:
      return start + indefinite_matrix_text("(p, A p)", failed);
    case Stop::indefinite_preconditioner:
      return start + indefinite_preconditioner_text(failed);
    case Stop::not_finite:
      if (std::isfinite(failed)) {
        return core::message(start, "the squared norm of the right-hand side is ", failed,
                             ", too small for floating-point numbers; scale the system");
      }
      return core::message(start, not_finite_text("an inner product", failed));
    case Stop::stagnated:
      if (parameters.test == Test::row_wise) {
        return core::message(start, row_wise_text(result.row_error, parameters.tolerance), ", after ",
                             result.refinements,
                             " corrections; use a better preconditioner or a larger tolerance");
      }
      return core::message(
          start, stagnated_text(result.relative_residual, parameters.tolerance, result.rounding_level),
          "; the recurrence gives ", digits(result.recursive_residual), ", but b - A x gives ",
          digits(result.relative_residual), ", also after replacing the one by the other ",
          result.replacements, " times and ", result.refinements, " corrections");
    case Stop::rounding_level:
      return core::message(
          start, rounding_level_text(result.relative_residual, parameters.tolerance, result.backward_error));
    case Stop::singular:
      return core::message(start, singular_text(result.nullspace_share));
  }
  return {};
}

void check(Parameters const& parameters) {
  auto const& p = parameters;
  TESSERA_VALIDATE(p.tolerance >= 0 && std::isfinite(p.tolerance), "the tolerance is ", p.tolerance,
                   ", but a relative residual is compared with it; give a number that is not negative");
  TESSERA_VALIDATE(p.absolute_tolerance >= 0 && std::isfinite(p.absolute_tolerance),
                   "the absolute tolerance is ", p.absolute_tolerance,
                   ", but the norm of a residual is compared with it; give a number that is not negative");
  TESSERA_VALIDATE(p.max_iterations >= 0, "the largest number of iterations is ", p.max_iterations,
                   "; give one that is not negative");
  TESSERA_VALIDATE(p.max_replacements >= 0, "the largest number of residual replacements is ",
                   p.max_replacements, "; give one that is not negative");
  TESSERA_VALIDATE(p.check_lag >= 1 && p.check_lag <= HostRecords::max_lag, "the check lag is ", p.check_lag,
                   " iterations; give 1 to ", HostRecords::max_lag);
}

}  // namespace Tessera::krylov
