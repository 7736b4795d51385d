#pragma once
/// \file
/// Products in blocks of columns on CUDA, of a known pattern. Rows of a node have one pattern in C and, as
/// far as they are the left operand's own, in the right one. A group of lanes takes rows of a node that have
/// one pattern in the left operand, too. A lane has a column of C and keeps its sum in each of these rows.
/// Entries go by nodes as well: where the right operand's rows of a node have a lane's block is looked for
/// once, and each of their numbers is read once for all rows of C. Sums are added to in storage order;
/// products beside C are left out.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/group.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::sparse {

/// Right: rows in blocks, whose patterns are known.
struct BlockSources {
  NodeBlocks pattern;
  Span<double const> value;
  int numbers;  ///< a block
  TESSERA_HD int width() const { return numbers; }
  TESSERA_HD RowEntries row(Index j) const {
    return {pattern.blocks(j), value.data() + pattern.before(j) * numbers, pattern.size(j)};
  }
};

namespace detail {

/// Some columns of C in the rows of a group. Rows: that are summed at a time, at most.
template <int Rows, class Left, class Right, class Epilogue>
struct BlockProductBody {
  static constexpr int threads = 128;
  Left left;
  Right right;
  Epilogue epilogue;
  NodeBlocks C;
  Span<Index const> groups;
  int together;  ///< of right's first `own` rows, have one pattern
  Index own;
  int parts;  ///< of a group's columns
  double* value;

  template <class Group>
  __device__ void operator()(Group const& group, Index task) const {
    Index const g = task / parts, end = groups[g + 1];
    Offset const size = static_cast<Offset>(C.size(groups[g])) * right.width();
    for (Offset first = static_cast<Offset>(task % parts) * Group::size; first < size;
         first += static_cast<Offset>(parts) * Group::size) {
      for (Index i = groups[g]; i < end; i += Rows)
        sum_columns(group, i, end - i < Rows ? end - i : Rows, first, size);
    }
  }

 private:
  /// An entry of a row: a row of the right operand. Unless it follows another one of its node, it stands for
  /// those behind it.
  struct Source {
    RowEntries row{};
    bool leads = false;
  };

  /// Columns of C's rows from `first` on, one a lane.
  template <class Group>
  __device__ void sum_columns(Group const& group, Index i, int rows, Offset first, Offset size) const {
    __shared__ double factors[threads][Rows];  // of the entries that the lanes have
    auto* const factor = factors + (static_cast<int>(threadIdx.x) - group.lane);
    Offset const mine = first + group.lane;
    int const c = static_cast<int>(mine) % right.width();
    Index const wanted = mine < size ? C.blocks(i)[mine / right.width()] : -1;
    double sum[Rows] = {};
    auto const length = left.row(i).end - left.row(i).begin;
    for (Offset k = 0; k < length; k += Group::size) {
      auto const found = source(i, k, k + group.lane, length);
      find_factors(i, rows, k + group.lane, length, factor[group.lane]);
      auto leads = (__ballot_sync(group.mask, found.leads) & group.mask) >> (threadIdx.x % 32 - group.lane);
      int const count = length - k < Group::size ? static_cast<int>(length - k) : Group::size;
      group.sync();
      while (leads != 0) {
        int const head = __ffs(static_cast<int>(leads)) - 1;
        leads &= leads - 1;
        int const run = (leads == 0 ? count : __ffs(static_cast<int>(leads)) - 1) - head;
        add(factor + head, run, group.broadcast(found.row, head), wanted, c, sum);
      }
      group.sync();
    }
    if (mine >= size) return;
    double* const target = value + C.before(i) * right.width() + mine;
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      if (r < rows) target[r * size] = epilogue.row(i + r)(wanted * right.width() + c, sum[r]);
  }

  /// k: the first of the entries that the lanes have.
  __device__ Source source(Index i, Offset k, Offset entry, Offset length) const {
    if (entry >= length) return {};
    auto a = left.row(i);
    Index before = -1;
    if (entry > k) {
      a.move(a.begin + entry - 1);
      before = a.source();
    }
    a.move(a.begin + entry);
    Index const j = a.source();
    bool const follows = before == j - 1 && before >= 0 && j < own && j % together % Rows != 0;
    return {right.row(j), !follows};
  }
  /// Of an entry in each of the rows; 0 where it is left out, so that it changes no sum: sums are never -0,
  /// and numbers of prolongators, which alone are multiplied by filtered rows, are finite.
  __device__ void find_factors(Index i, int rows, Offset entry, Offset length, double (&factor)[Rows]) const {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      factor[r] = 0;
      if (r >= rows || entry >= length) continue;
      auto a = left.row(i + r);
      a.move(a.begin + entry);
      if (a.keeps()) factor[r] = a.factor();
    }
  }

  /// Adds what `run` rows of the right operand, of which this is the first, have in column c of the block
  /// that is wanted.
  __device__ void add(double const (*factor)[Rows], int run, RowEntries const& row, Index wanted, int c,
                      double (&sum)[Rows]) const {
    int const m = right.width();
    int place = -1;
#pragma unroll 4
    for (int b = 0; b < row.count; ++b)
      if (row.column[b] == wanted) place = b;
    if (place < 0) return;
    double const* const value = row.value + static_cast<Offset>(place) * m + c;
    double number[Rows];
#pragma unroll
    for (int t = 0; t < Rows; ++t) number[t] = t < run ? value[t * row.count * m] : 0;
#pragma unroll
    for (int t = 0; t < Rows; ++t) {
      if (t >= run) break;
#pragma unroll
      for (int r = 0; r < Rows; ++r) sum[r] += factor[t][r] * number[t];
    }
  }
};

/// Which blocks the first of `rows` rows has that have one pattern.
struct NodeRowsBody {
  CsrView<double> of;
  int rows, width;
  Span<Offset> offsets;
  Span<Index> block;
  TESSERA_HD void operator()(Index v) const {
    auto const row = static_cast<Offset>(v) * rows, each = Offset{rows} * width;
    auto const first = of.offsets[row], begin = first / each, end = of.offsets[row + rows] / each;
    offsets[v + 1] = end;
    for (Offset k = begin; k < end; ++k) block[k] = of.column[first + (k - begin) * width] / width;
  }
};

inline BlockRows<Cuda> block_rows(Cuda const& space, CsrView<double> of, int rows, int width) {
  auto const nodes = static_cast<std::size_t>(of.rows / rows);
  BlockRows<Cuda> blocks{Array<Offset, Cuda>(space, nodes + 1),
                         Array<Index, Cuda>(space, of.column.size() / rows / width)};
  core::fill(space, blocks.offsets.span().part(0, 1), 0);
  core::for_each(space, nodes, NodeRowsBody{of, rows, width, blocks.offsets.span(), blocks.block.span()});
  return blocks;
}

/// Which rows have the pattern of the row before.
template <class Left>
struct RepeatsBody {
  Left left;
  unsigned char* repeats;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    auto here = left.row(i), before = left.row(i > 0 ? i - 1 : 0);
    auto const length = here.end - here.begin;
    bool differs = length != before.end - before.begin;
    for (Offset k = group.lane; !differs && k < length; k += Group::size) {
      here.move(here.begin + k);
      before.move(before.begin + k);
      differs = here.source() != before.source();
    }
    differs = group.any(differs);
    if (group.lane == 0) repeats[i] = differs ? 0 : 1;
  }
};

struct LeadsPredicate {
  unsigned char const* repeats;
  int together;
  TESSERA_HD bool operator()(Index row) const { return row % together == 0 || repeats[row] == 0; }
};

}  // namespace detail

/// The plan of a product whose C is known in blocks. rows: of a node in C.
template <class Left>
BlockPatterns<Cuda> block_patterns(Cuda const& space, Left const& left, int rows, BlockRows<Cuda> C) {
  auto const n = static_cast<std::size_t>(left.rows());
  BlockPatterns<Cuda> plan;
  plan.rows = rows;
  plan.C = std::move(C);
  Array<unsigned char, Cuda> repeats(space, n);
  core::for_each_group(space, n, left.entries(), detail::RepeatsBody<Left>{left, repeats.data()});
  Array<Index, Cuda> chosen(space, n);
  auto const groups = core::select(space, n, detail::LeadsPredicate{repeats.data(), rows}, chosen.span());
  plan.groups = Array<Index, Cuda>(space, groups + 1);
  core::copy(space, chosen.view().part(0, groups), space, plan.groups.span().part(0, groups));
  core::fill(space, plan.groups.span().part(groups, 1), left.rows());
  return plan;
}

/// The values of C. together: of right's first `own` rows, have one pattern.
template <class Left, class Right, class Epilogue>
void fill_blocks(Cuda const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                 BlockPatterns<Cuda> const& plan, int together, Index own, double* value) {
  auto const groups = plan.groups.size() - 1;
  if (groups == 0) return;
  auto const columns = plan.C.block.size() * right.width() * plan.rows / left.rows();  // of a row
  auto const fill = [&](auto lanes, auto rows) {
    using Body = detail::BlockProductBody<decltype(rows)::value, Left, Right, Epilogue>;
    constexpr std::size_t size = decltype(lanes)::value, most = std::numeric_limits<Index>::max();
    auto const parts = std::min(columns / size + 1, most / groups);
    core::for_each_group(space, groups * parts, core::GroupShape<decltype(lanes)::value, Body::threads>{},
                         Body{left, right, epilogue, plan.of_C(), plan.groups.view(), together, own,
                              static_cast<int>(parts), value});
  };
  auto const fill_by = [&](auto rows) {
    if (columns <= 16) return fill(std::integral_constant<int, 16>{}, rows);
    fill(std::integral_constant<int, 32>{}, rows);
  };
  if (plan.rows <= 3) return fill_by(std::integral_constant<int, 3>{});
  fill_by(std::integral_constant<int, 6>{});
}

}  // namespace Tessera::sparse
