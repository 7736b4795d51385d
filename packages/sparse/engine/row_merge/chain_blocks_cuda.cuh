#pragma once
/// \file
/// R (A B) in blocks of columns on CUDA. Patterns are merged by nodes: rows of B that belong to one node have
/// one pattern, so rows of A B that do are given one. Then values: a warp takes the rows of a node in A B, a
/// block the rows of an aggregate in R (A B); sums lie in shared memory (chain_block_kernels_cuda.cuh).
#include "core/group.hpp"
#include "sparse/engine/row_merge/chain_block_kernels_cuda.cuh"
#include "sparse/engine/row_merge/chain_plan.hpp"
#include "sparse/engine/row_merge/hash_merge_cuda.cuh"
#include "sparse/engine/row_merge/single_blocks_cuda.cuh"
#include "sparse/engine/row_merge/slot_map_cuda.cuh"
#include "sparse/engine/row_merge/with_width.hpp"

namespace Tessera::sparse {
namespace detail {

/// Left: nodes of A, without numbers. Of owned columns that follow each other in a node, only the first.
struct NodeFactors {
  CsrView<double> A;
  int together;
  Index owned;
  struct Row {
    static constexpr bool keeps_all = false;
    Index const* column;
    Offset begin, end;
    int together;
    Index owned;
    TESSERA_HD Index source(Offset k) const { return column[k]; }
    TESSERA_HD bool keeps(Offset k, Index j) const {
      return k == begin || j >= owned || j % together == 0 || column[k - 1] != j - 1;
    }
    TESSERA_HD double factor(Offset, Index) const { return 1; }
  };
  TESSERA_HD Index rows() const { return A.rows / together; }
  std::size_t entries() const { return A.column.size() / together; }
  TESSERA_HD Row row(Index v) const {
    auto const first = static_cast<Offset>(v) * together;
    return {A.column.data(), A.offsets[first], A.offsets[first + together], together, owned};
  }
};

/// Left: aggregates of R, of whose rows all have one pattern; of a node's columns, the first, by its node.
struct AggregateFactors {
  CsrView<double> R;
  int width, together;
  struct Row {
    static constexpr bool keeps_all = false;
    Index const* column;
    Offset begin, end;
    int together;
    TESSERA_HD Index source(Offset k) const { return column[k] / together; }
    TESSERA_HD bool keeps(Offset k, Index) const { return column[k] % together == 0; }
    TESSERA_HD double factor(Offset, Index) const { return 1; }
  };
  TESSERA_HD Index rows() const { return R.rows / width; }
  std::size_t entries() const { return R.column.size() / width / together; }
  TESSERA_HD Row row(Index I) const {
    auto const first = static_cast<Offset>(I) * width;
    return {R.column.data(), R.offsets[first], R.offsets[first + 1], together};
  }
};

struct BlockRowsBody {
  CsrView<double> B;
  int width;
  Span<Offset> offsets;
  Span<Index> block;
  TESSERA_HD void operator()(Index row) const {
    auto const begin = B.offsets[row] / width, end = B.offsets[row + 1] / width;
    offsets[row + 1] = end;
    for (Offset k = begin; k < end; ++k) block[k] = B.column[k * width] / width;
  }
};

/// Which rows of A have the pattern of the row before.
struct RepeatsBody {
  CsrView<double> A;
  unsigned char* repeats;
  TESSERA_HD Offset begin(Index row) const { return A.offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return A.offsets[row + 1]; }
  TESSERA_HD bool as_long(Index row) const {
    return row > 0 && end(row) - begin(row) == begin(row) - begin(row - 1);
  }
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index row) const {
    bool differs = !as_long(row);
    for (auto k = begin(row) + group.lane; !differs && k < end(row); k += Group::size)
      differs = A.column[k] != A.column[k - (end(row) - begin(row))];
    differs = group.any(differs);
    if (group.lane == 0) repeats[row] = differs ? 0 : 1;
  }
};

struct LeadsPredicate {
  unsigned char const* repeats;
  int together;
  TESSERA_HD bool operator()(Index row) const { return row % together == 0 || repeats[row] == 0; }
};

/// Blocks of A B in the rows of a group.
struct GroupBlocks {
  Span<Index const> groups;
  NodeBlocks AB;
  TESSERA_HD Index operator()(Index group) const {
    return (groups[group + 1] - groups[group]) * AB.size(groups[group]);
  }
};

}  // namespace detail

/// The patterns of B, A B and C in blocks, and C, values not set.
inline Csr<double, Cuda> find_chain_blocks(Cuda const& space, ChainOperands<Cuda> const& of,
                                           BlockChain<Cuda>& found) {
  auto const [rows, width] = of.blocks;
  auto const& A = of.A;
  auto const& B = of.B;
  auto const n = static_cast<std::size_t>(A.rows);
  found.B_offsets = Array<Offset, Cuda>(space, static_cast<std::size_t>(B.rows) + 1);
  found.B_block = Array<Index, Cuda>(space, B.column.size() / width);
  core::fill(space, found.B_offsets.span().part(0, 1), 0);
  core::for_each(space, B.rows,
                 detail::BlockRowsBody{B, width, found.B_offsets.span(), found.B_block.span()});
  auto AB = hash::merge(
      space, detail::NodeFactors{A, rows, A.rows},
      UnitSources{{{B.rows, B.columns / width, found.B_offsets.view(), found.B_block.view(), {}}}},
      PlainSums{});
  found.AB_offsets = std::move(AB.offsets);
  found.AB_block = std::move(AB.column);

  Array<unsigned char, Cuda> repeats(space, n);
  core::for_each_group(space, A.rows, A.column.size(), detail::RepeatsBody{A, repeats.data()});
  Array<Index, Cuda> chosen(space, n);
  auto const groups = core::select(space, n, detail::LeadsPredicate{repeats.data(), rows}, chosen.span());
  found.groups = Array<Index, Cuda>(space, groups + 1);
  core::copy(space, chosen.view().part(0, groups), space, found.groups.span().part(0, groups));
  core::fill(space, found.groups.span().part(groups, 1), A.rows);
  NodeBlocks const in_AB{found.AB_offsets.view(), found.AB_block.view(), rows};
  found.largest_group =
      core::reduce(space, groups, detail::GroupBlocks{found.groups.view(), in_AB}, core::Max{}, Index{0});

  auto const C = hash::merge(
      space, detail::AggregateFactors{of.R.matrix.view(), width, rows},
      UnitSources{{{A.rows / rows, B.columns / width, found.AB_offsets.view(), found.AB_block.view(), {}}}},
      PlainSums{});
  found.longest = static_cast<Index>(
      core::reduce(space, C.rows, detail::LengthOfRow{C.offsets.data()}, core::Max{}, Offset{0}));
  return detail::expanded(space, C, {width, width});
}

/// The values of C.
inline void fill_chain_blocks(Cuda const& space, ChainOperands<Cuda> const& of, BlockChain<Cuda> const& found,
                              Csr<double, Cuda>& C) {
  auto const [rows, width] = of.blocks;
  NodeBlocks const AB{found.AB_offsets.view(), found.AB_block.view(), rows};
  Array<double, Cuda> value(space, found.AB_block.size() * rows * width);
  with_width(width, [&, width = width](auto constant) {
    constexpr int m = decltype(constant)::value;
    detail::multiply_groups(space, found.groups.view(), found.largest_group,
                            detail::BlockTimes<m>{of.A, found.B_offsets.view(), found.B_block.view(),
                                                  of.B.value, AB, width, value.span()});
    detail::restrict_aggregates(
        space, found.longest,
        detail::BlockRestrict<m>{of.R.matrix.view(), AB, value.view(), C.view(), width, C.value.span()});
  });
}

}  // namespace Tessera::sparse
