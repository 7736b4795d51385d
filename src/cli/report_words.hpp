#pragma once
/// \file
/// Words that the table and the page of a comparison share.
#include <string>

#include "cli/measure.hpp"

namespace Tessera::cli {

/// Such as: 1 rank, 2 ranks.
std::string plural(int n, char const* what);

/// The file's name without folder and ".xml".
std::string list_name(std::string const& file);

/// Such as: BREAKDOWN: the matrix is not positive definite. Where the list has converged, its first warning;
/// empty where there is none.
std::string trouble(Measurement const& measurement);

/// Whether the preconditioner is one of Tessera's.
bool is_ours(Measurement const& measurement);

/// The value by the pattern, such as "%.2e"; what is no finite number in words.
std::string figure(char const* pattern, double value);

double megabytes(std::size_t bytes);

}  // namespace Tessera::cli
