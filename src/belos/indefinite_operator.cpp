#include "belos/indefinite_operator.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "krylov/explain.hpp"
#include "parameters/suggestion.hpp"

namespace Tessera::belos {
namespace {

using Who = IndefiniteOperator::Who;

/// M in single precision is symmetric to six digits, and (r, M^-1 z) may lose some.
constexpr double asymmetry_of_float = 1e-3;

/// Of a singular matrix the energy may be negative by rounding.
bool is_negative(double energy, double scale) {
  return energy < -1e-13 * scale;
}

/// NaN proves nothing.
Who who_is(BreakdownSums const& sums) {
  if (sums.rz <= 0) return Who::preconditioner;
  if (is_negative(sums.zAz, sums.z_scale) || is_negative(sums.rAr, sums.r_scale)) return Who::matrix;
  if (std::abs(sums.rw - sums.zz) > asymmetry_of_float * sums.zz) return Who::asymmetric_preconditioner;
  return Who::unknown;
}

bool is_one_of(std::string const& name, std::initializer_list<char const*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

IndefiniteOperator indefinite_operator_of(std::vector<BreakdownSums> const& columns) {
  for (auto const who : {Who::preconditioner, Who::matrix, Who::asymmetric_preconditioner})
    for (auto const& sums : columns)
      if (who_is(sums) == who) return {who, sums};
  return {Who::unknown, columns.empty() ? BreakdownSums() : columns.front()};
}

std::string text_of(IndefiniteOperator const& indefinite_operator) {
  auto const& sums = indefinite_operator.sums;
  switch (indefinite_operator.who) {
    case Who::preconditioner:
      return krylov::indefinite_preconditioner_text(sums.rz);
    case Who::asymmetric_preconditioner:
      return core::message("(M^-1 r, M^-1 r) is ", sums.zz, " but (r, M^-1 M^-1 r) is ", sums.rw,
                           ", so the preconditioner is not symmetric", krylov::advice_on_preconditioners());
    case Who::matrix:
      return is_negative(sums.zAz, sums.z_scale)
                 ? krylov::indefinite_matrix_text("(z, A z), z = M^-1 r,", sums.zAz)
                 : krylov::indefinite_matrix_text("(r, A r)", sums.rAr);
    case Who::unknown:
      break;
  }
  return {};
}

std::string text_of_either() {
  return "(p, A p) or (r, M^-1 r) is not a positive number: matrix or preconditioner are not positive "
         "definite, "
         "or their numbers are too large; use GMRES or mend them";
}

bool needs_definite_matrix(std::string const& solver) {
  auto const name = parameters::upper_case(solver);
  bool const ends = name.size() >= 2 && name.compare(name.size() - 2, 2, "CG") == 0;
  return ends || is_one_of(name, {"PCPG", "CGPOLY"});
}

bool needs_definite_preconditioner(std::string const& solver) {
  return needs_definite_matrix(solver) || parameters::upper_case(solver) == "MINRES";
}

}  // namespace Tessera::belos
