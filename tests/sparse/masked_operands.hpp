#pragma once
/// \file
/// Operands of masked products: rows of nodes, columns in blocks, and rows of other ranks.
#include <cstdint>
#include <vector>

#include "core/hash.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"

namespace Tessera::sparse {

struct MaskedCase {
  Index nodes;
  BlockShape blocks;
  int longest;         ///< row of the mask, in blocks
  Index ghosts = 0;    ///< rows of U of other ranks, each with a pattern of its own
  int neighbours = 9;  ///< nodes in a row of A
  int dropped = 0;     ///< hundredths of A's entries that are missing, so that rows of a node differ
};

/// Shapes that kernels treat differently, and rows shorter and longer than a group's lanes.
inline std::vector<MaskedCase> masked_cases() {
  return {{40, {3, 6}, 9},
          {40, {3, 6}, 9, 25, 30},
          {50, {3, 6}, 12, 10, 20, 15},
          {300, {6, 6}, 8, 12, 40},
          {31, {6, 6}, 5, 7, 9, 4},
          {200, {2, 3}, 7},
          {200, {2, 3}, 7, 30, 5, 20},
          {100, {1, 2}, 30, 9},
          {80, {1, 2}, 30, 0, 80},  // more products of a block than a kernel lists at a time
          {60, {7, 3}, 6, 14, 12},
          {60, {13, 10}, 5, 5, 8},
          {500, {1, 1}, 6},
          {300, {3, 1}, 20, 10, 25, 10},
          {1, {3, 6}, 1},
          {20, {3, 6}, 0, 4},
          {30, {1, 1}, 700},
          {8, {3, 3}, 600, 4}};
}

struct MaskedOperands {
  Csr<double, Host> A, U;
  BlockShape blocks;
  /// Its rows are U's first ones.
  Index rows() const { return A.rows; }
  std::size_t entries() const { return static_cast<std::size_t>(U.offsets[A.rows]); }
};

/// A number below `end`.
inline int lot(int end, std::uint64_t a, std::uint64_t b) {
  return static_cast<int>(core::mix64(a * 0x9e3779b97f4a7c15ull + b) % static_cast<std::uint64_t>(end));
}

/// Up to `longest` of the blocks, ascending; a fifth of all rows have none.
inline std::vector<Index> some_blocks(std::uint64_t row, int longest) {
  std::vector<Index> blocks;
  if (lot(5, row, 1) == 0) return blocks;
  int const wanted = lot(longest + 1, row, 2);
  for (int b = lot(4, row, 3); static_cast<int>(blocks.size()) < wanted; b += 1 + lot(3, row, b + 10))
    blocks.push_back(b);
  return blocks;
}

inline Csr<double, Host> masked_right(MaskedCase const& c) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  Index const own = c.nodes * c.blocks.rows;
  for (Index j = 0; j < own + c.ghosts; ++j) {
    for (Index const block : some_blocks(j < own ? j / c.blocks.rows : j, c.longest)) {
      for (int k = 0; k < c.blocks.width; ++k) column.push_back(block * c.blocks.width + k);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return oracle::make_csr(own + c.ghosts, (4 * c.longest + 8) * c.blocks.width, offsets, column,
                          oracle::random_vector(column.size(), 5));
}

/// Nodes near a node, all their rows, and some ghosts.
inline Csr<double, Host> masked_left(MaskedCase const& c) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  Index const own = c.nodes * c.blocks.rows;
  for (Index i = 0; i < own; ++i) {
    Index const v = i / c.blocks.rows;
    for (Index j = 0; j < own + c.ghosts; ++j) {
      auto const near = static_cast<std::uint64_t>(j < own ? j / c.blocks.rows : j) * 1000003 + v;
      bool const taken = lot(j < own ? c.nodes : c.ghosts, near, 7) < c.neighbours;
      if (taken && lot(100, static_cast<std::uint64_t>(i) << 32 | j, 8) >= c.dropped) column.push_back(j);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return oracle::make_csr(own, own + c.ghosts, offsets, column, oracle::random_vector(column.size(), 6));
}

inline MaskedOperands masked_operands(MaskedCase const& c) {
  return {masked_left(c), masked_right(c), c.blocks};
}

/// The masked product in the memory of a space; planned: by a plan, else by a whole product.
template <class Space>
std::vector<double> masked(Space const& space, MaskedOperands const& of, bool planned = true) {
  auto const A = copied<double>(Host{}, of.A, space), U = copied<double>(Host{}, of.U, space);
  auto result = core::to_space(space, std::vector<double>(of.entries(), -7));
  CsrView<double> const mask{
      of.rows(), U.columns, U.offsets.view(), U.column.view().part(0, of.entries()), {}};
  with_width(of.blocks.width, [&](auto width) {
    CsrFactors const left{A.view()};
    CsrSources<decltype(width)::value> const right{U.view(), of.blocks.width};
    ProductPlan<Space> plan;
    plan.rows = of.blocks.rows;
    if (planned) plan = product_plan(space, left, right, Masked<PlainSums>{}, of.blocks.rows, mask);
    refresh_merge(space, left, right, Masked<PlainSums>{}, plan, mask, result.data());
  });
  return core::to_vector(space, result.view());
}

}  // namespace Tessera::sparse
