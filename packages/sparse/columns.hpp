#pragma once
/// \file
/// Operations on several columns of numbers at once, for multivectors. A column is a pointer into the memory
/// of the space. The list of pointers lies on the host and may select any columns, also repeatedly. All
/// columns of a call have the same number of rows.
#include <cstdint>
#include <utility>
#include <vector>

#include "core/space.hpp"
#include "core/span.hpp"

namespace Tessera::sparse {

using ColumnList = Span<double* const>;
using ConstColumnList = Span<double const* const>;

/// y_j = alpha_j a_j + beta_j b_j for each column j. A column with the coefficient 0 is not read, so its NaNs
/// do not matter. y_j may be a_j or b_j. alpha and beta: one for each column.
template <class Space>
void combine(Space const& space, std::size_t rows, Span<double const> alpha, ConstColumnList a,
             Span<double const> beta, ConstColumnList b, ColumnList y);

/// Y = alpha X B + beta Y; beta = 0 does not read Y. No column of Y is one of X. B: on the host, X.size()
/// rows and Y.size() columns, column j at B + j leading.
template <class Space>
void multiply_add(Space const& space, std::size_t rows, double alpha, ConstColumnList X, double const* B,
                  std::size_t leading, double beta, ColumnList Y);

/// sum_i x_ji y_ji of this rank for each pair j of columns, in core's fixed tree. The result does not depend
/// on the other pairs. One pass takes up to eight pairs.
template <class Space>
std::vector<double> dots(Space const& space, std::size_t rows, ConstColumnList x, ConstColumnList y);

/// sum_i |x_ji| of this rank for each column j, in core's fixed tree.
template <class Space>
std::vector<double> absolute_sums(Space const& space, std::size_t rows, ConstColumnList x);

/// The least and the largest element of this rank in each column j; (infinity, -infinity) without rows.
template <class Space>
std::vector<std::pair<double, double>> extremes(Space const& space, std::size_t rows, ConstColumnList x);

template <class Space>
void fill(Space const& space, std::size_t rows, double value, ColumnList y);

/// Uniform in [-1, 1): element i of column j is a function of (first + i, seed + j).
template <class Space>
void randomise(Space const& space, std::size_t rows, GlobalIndex first, std::uint64_t seed, ColumnList y);

}  // namespace Tessera::sparse
