#pragma once
/// \file
/// What is said to the user.
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::krylov {

/// Why the solve did not converge and what to do, in a sentence. failed: the number that stopped it.
std::string explain(Result const& result, double failed, Parameters const& parameters);

/// What others than solve() say in the same words. residual, tolerance: relative.
std::string rounding_level_text(double residual, double tolerance, double backward_error);
/// rounding_level: relative, too.
std::string stagnated_text(double residual, double tolerance, double rounding_level);
std::string row_wise_text(double row_error, double tolerance);
/// growth: ||b - A x|| over that of the start.
std::string diverged_text(double growth);
/// The same of a Krylov method. may_rise: it lowers another norm than that of b - A x.
std::string grown_text(double growth, bool may_rise);
/// Of a solution that double precision cannot hold.
std::string out_of_range_text();
/// Such as "12.3 %".
std::string percent(double share);
/// share: of ||b||, in the nullspace. where: what floats, if that is known.
std::string singular_text(double share, std::string const& where = {});
/// what: such as "an inner product"; value: NaN or infinite.
std::string not_finite_text(char const* what, double value);

/// energy: what is not positive, such as (p, A p).
std::string indefinite_matrix_text(char const* energy, double value);
/// rz: (r, M^-1 r).
std::string indefinite_preconditioner_text(double rz);
/// What to do about a preconditioner that conjugate gradients do not bear.
char const* advice_on_preconditioners();

/// \throws core::InvalidInput
void check(Parameters const& parameters);

}  // namespace Tessera::krylov
