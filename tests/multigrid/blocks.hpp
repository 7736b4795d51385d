#pragma once
/// \file
/// Blocks of vectors through a preconditioner, on any space.
#include <gtest/gtest.h>

#include <vector>

#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/interleave.hpp"

namespace Tessera::test {

/// M^-1 of `columns` as a block; their number is not larger than the block's.
template <class X, class Operator, class Space>
std::vector<std::vector<double>> precondition_block(Operator& M, Space const& space,
                                                    std::vector<std::vector<double>> const& columns) {
  std::vector<Array<double, Space>> memory;
  for (auto const& column : columns) memory.push_back(core::to_space(space, column));
  std::vector<Span<double>> spans;
  for (auto& column : memory) spans.push_back(column.span());
  sparse::interleave(space, spans, 0, M.template block_input<X>());
  M.apply_block(core::columns_of<X>);
  sparse::separate(space, M.template block_output<X>(), spans, 0);
  std::vector<std::vector<double>> result;
  for (auto const& column : memory) result.push_back(core::to_vector(space, column.view()));
  return result;
}

/// M^-1 of one column.
template <class Operator, class Space>
std::vector<double> precondition_on(Operator& M, Space const& space, std::vector<double> const& b) {
  auto const there = core::to_space(space, b);
  Array<double, Space> x(space, b.size());
  M.apply(there.view(), x.span());
  return core::to_vector(space, x.view());
}

/// Blocks of 4 and 8, the last without a column, twice each, since a GPU replays the second time: each column
/// is bitwise what it is alone. n, seed: this rank's.
template <class T, class Operator, class Space>
void expect_columns_as_alone(Operator& M, Space const& space, std::size_t n, std::uint64_t seed) {
  std::vector<std::vector<double>> b, alone;
  for (int c = 0; c < 8; ++c) b.push_back(oracle::random_vector(static_cast<Index>(n), seed + 100 * c));
  if (n > 0) b[2][n / 2] = 1e300;  // too large for a float: what comes of it stays in its column
  b[3].assign(n, 0.0);
  for (auto const& column : b) alone.push_back(precondition_on(M, space, column));
  auto const expect = [&](auto row, int columns) {
    using X = decltype(row);
    auto const block = precondition_block<X>(M, space, {b.begin(), b.begin() + columns});
    for (int c = 0; c < columns; ++c) {
      if (c == 2) continue;
      EXPECT_TRUE(oracle::same_bits(block[c], alone[c])) << "column " << c << " of " << columns;
    }
  };
  M.reserve_columns(4);
  for (int time = 0; time < 2; ++time) expect(core::Interleaved<T, 4>{}, 4);
  M.reserve_columns(8);
  for (int time = 0; time < 2; ++time) {
    expect(core::Interleaved<T, 8>{}, 7);
    expect(core::Interleaved<T, 4>{}, 3);
  }
}

}  // namespace Tessera::test
