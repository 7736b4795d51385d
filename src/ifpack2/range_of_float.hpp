#pragma once
/// \file
/// How matrices and vectors are kept in the range of a preconditioner in float.
#include <vector>

#include "comm/dist_csr.hpp"
#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

/// The largest entry of all ranks, in magnitude. Collective.
double largest_entry(comm::DistCsr<double, Host> const& A);
/// The same of each column on this rank.
std::vector<double> largest_of_columns(tpetra::MultiVector const& X);

/// A cycle in float works with values, their inverses and residuals, all of which must stay away from float's
/// limits, 1e-38 and 3e38. largest: of the matrix. \throws core::InvalidInput where they do not
void require_range_of_float(double largest);

/// The power of two that a vector is to be divided by where a cycle in float would leave float's range, else
/// 1. Entries: the largest of the vector and of the matrix, in magnitude.
double scale_for_float(double entry, double matrix);

}  // namespace Tessera::ifpack2
