#pragma once
/// \file
/// Merges on CUDA; see row_merge.hpp. Merges in blocks of columns find the pattern by nodes, without numbers,
/// then spread it out to numbers.
#include <utility>

#include "core/parallel.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/engine/row_merge/block_product_cuda.cuh"
#include "sparse/engine/row_merge/hash_merge_cuda.cuh"
#include "sparse/engine/row_merge/product_plan.hpp"
#include "sparse/engine/row_merge/product_plan_cuda.cuh"
#include "sparse/engine/row_merge/row_merge.hpp"

namespace Tessera::sparse {
namespace detail {

/// Left: rows of one pattern as one row, without numbers.
template <class Left>
struct JoinedRowFactors {
  Left left;
  int rows_per_node;
  struct Row {
    static constexpr bool keeps_all = false;
    Left left;
    Offset begin, end;
    Index next;  ///< of the rows
    typename Left::Row row;
    TESSERA_HD void move(Offset k) {
      while (k >= row.end) row = left.row(next++);
      row.move(k);
    }
    TESSERA_HD Index source() const { return row.source(); }
    TESSERA_HD bool keeps() const { return row.keeps(); }
    TESSERA_HD double factor() const { return 1; }
  };
  TESSERA_HD Index rows() const { return left.rows() / rows_per_node; }
  std::size_t entries() const { return left.entries(); }
  TESSERA_HD Row row(Index v) const {
    Index const first = v * rows_per_node;
    auto const begin = left.row(first).begin;
    bool empty = true;  // rows of an operand need not be contiguous
    for (Index i = first; i < first + rows_per_node; ++i)
      empty = empty && left.row(i).begin == left.row(i).end;
    return {left, begin, empty ? begin : left.row(first + rows_per_node - 1).end, first + 1, left.row(first)};
  }
};

/// Right: one block of columns in each row.
template <class Right>
struct BlockColumns {
  static constexpr bool single = true;
  Right right;
  TESSERA_HD Index columns() const { return right.columns() / right.width(); }
  double row_length() const { return 1; }
  TESSERA_HD Offset begin(Index j) const { return j; }
  TESSERA_HD Offset end(Index j) const { return j + (right.block_column(j) < 0 ? 0 : 1); }
  TESSERA_HD Index column(Offset l) const { return right.block_column(static_cast<Index>(l)); }
  TESSERA_HD double value(Offset) const { return 1; }
};

/// Epilogue: the order of another epilogue.
template <class Epilogue>
struct SameOrder : PlainSums {
  Epilogue of;
  explicit SameOrder(Epilogue const& epilogue) : of(epilogue) {}
  TESSERA_HD Index key(Index block) const { return of.key(block); }
  TESSERA_HD Index block(Index key) const { return of.block(key); }
};

/// The scalar pattern of blocks of rows x width: offsets, then columns.
struct ExpandBlocksBody {
  Span<Offset const> block_offsets;
  Span<Index const> block;
  int rows, width;
  Span<Offset> offsets;
  Span<Index> column;
  TESSERA_HD Offset begin(Index row) const { return block_offsets[row / rows]; }
  TESSERA_HD Offset end(Index row) const { return block_offsets[row / rows + 1]; }
  TESSERA_HD void operator()(Index row) const {
    auto const length = (end(row) - begin(row)) * width;
    offsets[row + 1] = begin(row) * rows * width + (row % rows + 1) * length;
  }
  TESSERA_HD void operator()(Index row, Offset k) const {
    auto const at = offsets[row] + (k - begin(row)) * width;
    for (int c = 0; c < width; ++c) column[at + c] = block[k] * width + c;
  }
};

/// Values are allocated, not set. rows, width: of a block.
inline Csr<double, Cuda> expanded(Cuda const& space, Csr<double, Cuda> const& blocks, int rows, int width) {
  auto const of_C = static_cast<std::size_t>(blocks.rows) * rows;
  auto const entries = blocks.column.size() * rows * width;
  Csr<double, Cuda> C{static_cast<Index>(of_C), blocks.columns * width, Array<Offset, Cuda>(space, of_C + 1),
                      Array<Index, Cuda>(space, entries), Array<double, Cuda>(space, entries)};
  core::fill(space, C.offsets.span().part(0, 1), 0);
  ExpandBlocksBody const expand{blocks.offsets.view(), blocks.column.view(), rows, width,
                                C.offsets.span(),      C.column.span()};
  core::for_each(space, of_C, expand);
  for_each_entry(space, C.rows, blocks.column.size() * rows, expand);
  return C;
}

/// Left: nodes of A, without numbers. Of consecutive owned columns of a node, only the first is kept.
struct NodeFactors {
  CsrView<double> A;
  int rows_per_node;
  Index owned;
  struct Row {
    static constexpr bool keeps_all = false;
    Index const* column;
    Offset begin, end, at;
    int rows_per_node;
    Index owned;
    TESSERA_HD void move(Offset k) { at = k; }
    TESSERA_HD Index source() const { return column[at]; }
    TESSERA_HD bool keeps() const {
      auto const j = source();
      return at == begin || j >= owned || j % rows_per_node == 0 || column[at - 1] != j - 1;
    }
    TESSERA_HD double factor() const { return 1; }
  };
  TESSERA_HD Index rows() const { return A.rows / rows_per_node; }
  std::size_t entries() const { return A.column.size() / rows_per_node; }
  TESSERA_HD Row row(Index v) const {
    auto const first = static_cast<Offset>(v) * rows_per_node;
    auto const begin = A.offsets[first];
    return {A.column.data(), begin, A.offsets[first + rows_per_node], begin, rows_per_node, owned};
  }
};

/// Left: aggregates of R, whose rows have one pattern. Of a node's columns the first is kept, as the node.
struct AggregateFactors {
  CsrView<double> R;
  int width, rows_per_node;
  struct Row {
    static constexpr bool keeps_all = false;
    Index const* column;
    Offset begin, end, at;
    int rows_per_node;
    TESSERA_HD void move(Offset k) { at = k; }
    TESSERA_HD Index source() const { return column[at] / rows_per_node; }
    TESSERA_HD bool keeps() const { return column[at] % rows_per_node == 0; }
    TESSERA_HD double factor() const { return 1; }
  };
  TESSERA_HD Index rows() const { return R.rows / width; }
  std::size_t entries() const { return R.column.size() / width / rows_per_node; }
  TESSERA_HD Row row(Index I) const {
    auto const first = static_cast<Offset>(I) * width;
    return {R.column.data(), R.offsets[first], R.offsets[first + 1], R.offsets[first], rows_per_node};
  }
};

}  // namespace detail

/// C, values not set, and the plans of both products.
inline Csr<double, Cuda> find_chain_blocks(Cuda const& space, ChainOperands<Cuda> const& of,
                                           ChainPlan<Cuda>& plan) {
  auto const [rows, width] = of.blocks;
  auto const columns = of.B.columns / width;
  CsrFactors const R{of.R.matrix.view()}, A{of.A};
  auto B = detail::block_rows(space, of.B, 1, width);
  auto AB =
      hash::merge(space, detail::NodeFactors{of.A, rows, of.A.rows},
                  UnitSources{{{of.B.rows, columns, B.offsets.view(), B.block.view(), {}}}}, PlainSums{});
  auto C = hash::merge(space, detail::AggregateFactors{R.A, width, rows},
                       UnitSources{{{of.A.rows / rows, columns, AB.offsets.view(), AB.column.view(), {}}}},
                       PlainSums{});
  auto result = detail::expanded(space, C, width, width);
  auto& inner = plan.inner.blocks;
  auto& outer = plan.outer.blocks;
  plan.found = true;
  plan.entries = AB.column.size() * rows * width;
  inner = block_patterns(space, A, rows, {std::move(AB.offsets), std::move(AB.column)}, rows, of.A.rows);
  inner.B = std::move(B);
  outer = block_patterns(space, R, width, {std::move(C.offsets), std::move(C.column)}, rows, of.A.rows);
  outer.B = {core::copied(space, inner.C.offsets.view(), space),
             core::copied(space, inner.C.block.view(), space)};
  outer.rows_of_B = rows;
  return result;
}

template <>
struct RowMerge<Cuda> {
  template <class Left, class Right, class Epilogue>
  static Csr<double, Cuda> run(Cuda const& space, Left const& left, Right const& right,
                               Epilogue const& epilogue, int rows) {
    if constexpr (Right::single && Right::fixed_width != 1) {
      auto nodes = hash::merge(space, detail::JoinedRowFactors<Left>{left, rows},
                               detail::BlockColumns<Right>{right}, detail::SameOrder<Epilogue>(epilogue));
      auto C = detail::expanded(space, nodes, rows, right.width());
      auto const plan = block_patterns(space, left, rows, {std::move(nodes.offsets), std::move(nodes.column)},
                                       rows, left.rows());
      fill_blocks(space, left, right, epilogue, plan, C.value.data());
      return C;
    } else {
      return hash::merge(space, left, right, epilogue);
    }
  }

  template <class Left, class Right, class Epilogue>
  static ProductPlan<Cuda> plan(Cuda const& space, Left const& left, Right const& right,
                                Epilogue const& epilogue, int rows, CsrView<double> C) {
    if constexpr (Right::fixed_width != 1) {
      ProductPlan<Cuda> plan;
      plan.found = true;
      plan.blocks = block_patterns(space, left, rows, detail::block_rows(space, C, rows, right.width()), rows,
                                   left.rows());
      if constexpr (!Right::single) plan.blocks.B = detail::block_rows(space, right.B, 1, right.width());
      return plan;
    } else {
      return plan_of(space, left, right, epilogue, C);
    }
  }

  template <class Left, class Right, class Epilogue>
  static void refresh(Cuda const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                      ProductPlan<Cuda> const& plan, CsrView<double> C, double* value) {
    if constexpr (Right::fixed_width == 1) {
      sum_by_scatter(space, left, right, epilogue, plan, C.offsets.data(), C.column.data(), value);
    } else if constexpr (Right::single) {
      fill_blocks(space, left, right, epilogue, plan.blocks, value);
    } else {
      fill_blocks(space, left, BlockSources{plan.blocks.of_B(), right.B.value, right.width()}, epilogue,
                  plan.blocks, value);
    }
  }

  template <int Width>
  static CsrFactors rows_of(CsrView<double> R, int /*width*/) {
    return {R};
  }
  template <int Width>
  static Csr<double, Cuda> chain(Cuda const& space, ChainOperands<Cuda> const& of, ChainPlan<Cuda>* keep) {
    CsrFactors const A{of.A}, R{of.R.matrix.view()};
    ChainPlan<Cuda> plan;
    Csr<double, Cuda> C;
    if constexpr (Width == 1) {
      auto AB = hash::merge(space, A, CsrSources<>{of.B}, PlainSums{});
      C = hash::merge(space, R, CsrSources<>{AB.view()}, PlainSums{});
      if (keep != nullptr) plan = chain_plan(space, of, AB, C.view());
    } else {
      C = find_chain_blocks(space, of, plan);
      refresh_chain_product(space, of, plan, C);
    }
    if (keep != nullptr) *keep = std::move(plan);
    return C;
  }

 private:
  /// The columns of AB ascend. Not `found` if rows are too long for scatter indices.
  static ChainPlan<Cuda> chain_plan(Cuda const& space, ChainOperands<Cuda> const& of, Csr<double, Cuda>& AB,
                                    CsrView<double> C) {
    ChainPlan<Cuda> plan;
    plan.inner = plan_of(space, CsrFactors{of.A}, CsrSources<>{of.B}, PlainSums{}, AB.view());
    if (!plan.inner.found) return {};
    plan.outer = plan_of(space, CsrFactors{of.R.matrix.view()}, CsrSources<>{AB.view()}, PlainSums{}, C);
    if (!plan.outer.found) return {};
    plan.entries = AB.column.size();
    plan.offsets = std::move(AB.offsets);
    plan.found = true;
    return plan;
  }
};

}  // namespace Tessera::sparse
