#pragma once
/// \file
/// Products in blocks of columns on CUDA, for a known pattern of C. Rows of a node have one pattern in C, and
/// owned rows also in the right operand. A group of lanes takes rows of a node that have one pattern in the
/// left operand, too. Consecutive entries of one node are a run. Each lane has a column of C and its sum in
/// each of the rows. For a stretch of entries, the lanes first search the rows of the right operand for the
/// blocks of their columns, and list the positions. Then each lane walks over its block's list, so that it
/// reads each number of the right operand once for all rows of C. Sums run in storage order; products outside
/// of C are left out.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/group.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::sparse {

/// Right: rows in blocks of known patterns.
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

/// Sums some columns of C in the rows of a group, at most `Rows` rows at a time.
template <int Lanes, int Rows, class Left, class Right, class Epilogue>
struct BlockProductBody {
  static constexpr int threads = 128;
  static constexpr int stretch = Lanes * (Rows <= 3 ? 3 : 2);  ///< entries of a stretch
  static constexpr int room = 16 * Lanes;            ///< products of the group's blocks in a stretch
  static constexpr int of_lane = Rows <= 3 ? 2 : 1;  ///< columns

  Left left;
  Right right;
  Epilogue epilogue;
  NodeBlocks C;
  Span<Index const> groups;
  int rows_per_node;  ///< of right's first `own` rows; they have one pattern
  Index own;
  int parts, of_part;  ///< parts of a group's columns, and columns of a part
  double* value;

  /// Columns of a part: whole blocks, of which there is one for each lane at most, or half a wide one.
  static int columns_of_part(int width) {
    int const most = of_lane * Lanes;
    return width > most ? most : std::min(most / width, Lanes) * width;
  }

  template <class Group>
  __device__ void operator()(Group const& group, Index task) const {
    Index const g = task / parts, end = groups[g + 1];
    Offset const size = static_cast<Offset>(C.size(groups[g])) * right.width();
    for (Offset first = static_cast<Offset>(task % parts) * of_part; first < size;
         first += static_cast<Offset>(parts) * of_part) {
      int const columns = size - first < of_part ? static_cast<int>(size - first) : of_part;
      for (Index i = groups[g]; i < end; i += Rows)
        sum_columns(group, {i, end - i < Rows ? end - i : Rows, first, columns, size});
    }
  }

 private:
  struct Part {
    Index i;
    int rows;
    Offset first;
    int columns;
    Offset size;  ///< of a row, in columns
  };
  /// `run` consecutive rows of the right operand with one pattern; `entry` belongs to the first.
  struct Source {
    Index const* block;
    double const* value;
    int blocks;
    short entry, run;
  };
  /// Shared memory of a group.
  struct Shared {
    Source source[stretch];
    double factor[stretch][Rows];  ///< of each entry
    int place[room];               ///< position of each product in a row of the right operand
    unsigned char of_source[room];
    int products[Lanes];  ///< of each block
  };
  /// The blocks of a part. Lane l looks for block l % count in every (lanes / count)-th source.
  struct Blocks {
    Index first;
    int count, step, room_of_each;
    __device__ Blocks(Part const& part, int width)
        : first(static_cast<Index>(part.first / width)),
          count(static_cast<Index>((part.first + part.columns - 1) / width) - first + 1),
          step(Lanes / count),
          room_of_each(room / count) {}
  };

  template <class Group>
  __device__ void sum_columns(Group const& group, Part const& part) const {
    __shared__ Shared all[threads / Lanes];
    auto& shared = all[threadIdx.x / Lanes];
    Blocks const blocks(part, right.width());
    Offset const length = left.row(part.i).end - left.row(part.i).begin;
    double sum[of_lane][Rows] = {};
    for (Offset k = 0; k < length;) {
      int const sources = stage(group, part, k, length, shared);
      group.sync();
      int const taken = find(group, part, blocks, sources, shared);
      group.sync();
#pragma unroll
      for (int v = 0; v < of_lane; ++v)
        if (v * Lanes + group.lane < part.columns)
          add_products(shared, blocks, part.first + v * Lanes + group.lane, sum[v]);
      auto const& last = shared.source[taken - 1];
      k += last.entry + last.run;
      group.sync();
    }
#pragma unroll
    for (int v = 0; v < of_lane; ++v)
      if (v * Lanes + group.lane < part.columns) store(part, part.first + v * Lanes + group.lane, sum[v]);
  }

  __device__ void add_products(Shared const& shared, Blocks const& blocks, Offset column,
                               double (&sum)[Rows]) const {
    int const m = right.width(), c = static_cast<int>(column % m);
    int const s = static_cast<Index>(column / m) - blocks.first;
    int const begin = s * blocks.room_of_each;
    for (int at = begin; at < begin + shared.products[s]; ++at)
      add(shared, shared.source[shared.of_source[at]], static_cast<Offset>(shared.place[at]) * m + c, sum);
  }
  __device__ void store(Part const& part, Offset column, double const (&sum)[Rows]) const {
    int const m = right.width();
    auto const number = C.blocks(part.i)[column / m] * m + static_cast<int>(column % m);
    double* const target = value + C.before(part.i) * m + column;
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      if (r < part.rows) target[r * part.size] = epilogue.row(part.i + r)(number, sum[r]);
  }

  /// Loads entries from k on, in whole runs; returns the number of runs.
  template <class Group>
  __device__ int stage(Group const& group, Part const& part, Offset k, Offset length, Shared& shared) const {
    auto const end = length - k <= stretch ? length - k : stretch - (Rows - 1);
    int sources = 0;
    for (int l = group.lane; l - group.lane < stretch; l += Lanes) {
      bool leads = false;
      auto a = left.row(part.i);
      if (k + l < length) {
        find_factors(part, k + l, shared.factor[l]);
        leads = l < end && begins(a, k, l);
      }
      int count = 0;
      int const number = sources + group.count_before(leads, count);
      if (leads) {
        a = left.row(part.i);
        a.move(a.begin + k + l);
        auto const row = right.row(a.source());
        shared.source[number] = {row.column, row.value, row.count, static_cast<short>(l),
                                 static_cast<short>(run_from(a, k + l))};
      }
      sources += count;
    }
    return sources;
  }
  /// The factor of an entry that is left out is 0 and changes no sum: sums are never -0, and filtered rows
  /// multiply prolongators only, whose numbers are finite.
  __device__ void find_factors(Part const& part, Offset entry, double (&factor)[Rows]) const {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      factor[r] = 0;
      if (r >= part.rows) continue;
      auto a = left.row(part.i + r);
      a.move(a.begin + entry);
      if (a.keeps()) factor[r] = a.factor();
    }
  }
  /// Whether row j of the right operand continues the run of the row before.
  __device__ bool continues(Index j) const {
    int const place = j < own ? static_cast<int>(j % rows_per_node) : 0;
    return place % Rows != 0;
  }
  /// Whether entry k + l begins a run; entry k does.
  template <class LeftRow>
  __device__ bool begins(LeftRow& a, Offset k, int l) const {
    if (l == 0) return true;
    a.move(a.begin + k + l - 1);
    Index const before = a.source();
    a.move(a.begin + k + l);
    return a.source() != before + 1 || !continues(a.source());
  }
  /// The length of the run that begins at the current entry of a.
  template <class LeftRow>
  __device__ int run_from(LeftRow a, Offset entry) const {
    Index const j = a.source();
    int const place = j < own ? static_cast<int>(j % rows_per_node) : rows_per_node;
    int run = 1;
    while (run < Rows && place + run < rows_per_node && (place + run) % Rows != 0 &&
           a.begin + entry + run < a.end) {
      a.move(a.begin + entry + run);
      if (a.source() != j + run) break;
      ++run;
    }
    return run;
  }

  /// Lists the products of blocks with the sources of the stretch, while there is room; returns the number of
  /// sources.
  template <class Group>
  __device__ int find(Group const& group, Part const& part, Blocks const& blocks, int sources,
                      Shared& shared) const {
    int const turn = group.lane / blocks.count, s = group.lane % blocks.count, step = blocks.step;
    bool const looks = turn < step;
    Index const wanted = C.blocks(part.i)[blocks.first + s];
    unsigned same = 0;  // lanes of this block
    for (int t = 0; t < step; ++t) same |= 1U << (t * blocks.count + s);
    unsigned const before = same & ((1U << group.lane) - 1);
    int count = 0, taken = 0;
    for (; taken < sources && !group.any(count + step > blocks.room_of_each); taken += step) {
      int place = -1;
      if (looks && taken + turn < sources) {
        auto const& from = shared.source[taken + turn];
#pragma unroll 4
        for (int b = 0; b < from.blocks; ++b)
          if (from.block[b] == wanted) place = b;
      }
      auto const found = __ballot_sync(group.mask, place >= 0) >> (threadIdx.x % 32 - group.lane);
      if (place >= 0) {
        int const at = s * blocks.room_of_each + count + __popc(found & before);
        shared.place[at] = place;
        shared.of_source[at] = static_cast<unsigned char>(taken + turn);
      }
      count += __popc(found & same);
    }
    if (turn == 0) shared.products[s] = count;
    return taken < sources ? taken : sources;
  }

  /// Adds the products of a run's factors with the numbers of a column from `first` on.
  __device__ void add(Shared const& shared, Source const& from, Offset first, double (&sum)[Rows]) const {
    auto const next = static_cast<Offset>(from.blocks) * right.width();
    double number[Rows];
#pragma unroll
    for (int t = 0; t < Rows; ++t) number[t] = t < from.run ? from.value[first + t * next] : 0;
#pragma unroll
    for (int t = 0; t < Rows; ++t) {
      if (t >= from.run) break;
#pragma unroll
      for (int r = 0; r < Rows; ++r) sum[r] += shared.factor[from.entry + t][r] * number[t];
    }
  }
};

/// The blocks of a node, from the first of its `rows` rows of one pattern.
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

/// Marks rows with the pattern of the row before.
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
  int rows_per_node;
  TESSERA_HD bool operator()(Index row) const { return row % rows_per_node == 0 || repeats[row] == 0; }
};

/// The first row of each group of a node's rows with one pattern, then the number of rows.
template <class Left>
Array<Index, Cuda> row_groups(Cuda const& space, Left const& left, int rows) {
  auto const n = static_cast<std::size_t>(left.rows());
  Array<unsigned char, Cuda> repeats(space, n);
  core::for_each_group(space, n, left.entries(), RepeatsBody<Left>{left, repeats.data()});
  Array<Index, Cuda> chosen(space, n);
  auto const count = core::select(space, n, LeadsPredicate{repeats.data(), rows}, chosen.span());
  Array<Index, Cuda> groups(space, count + 1);
  core::copy(space, chosen.view().part(0, count), space, groups.span().part(0, count));
  core::fill(space, groups.span().part(count, 1), left.rows());
  return groups;
}

}  // namespace detail

/// The plan of a product for a C in blocks. rows: of a node in C. rows_per_node: rows of one pattern among
/// the first `own` rows of the right operand.
template <class Left>
BlockPatterns<Cuda> block_patterns(Cuda const& space, Left const& left, int rows, BlockRows<Cuda> C,
                                   int rows_per_node, Index own) {
  BlockPatterns<Cuda> plan{rows, rows_per_node, own, std::move(C)};
  plan.groups = detail::row_groups(space, left, rows);
  return plan;
}

/// The values of C.
template <class Left, class Right, class Epilogue>
void fill_blocks(Cuda const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                 BlockPatterns<Cuda> const& plan, double* value) {
  auto const groups = plan.groups.size() - 1;
  if (groups == 0) return;
  auto const columns = plan.C.block.size() * right.width() * plan.rows / left.rows();  // of a row
  auto const fill = [&](auto lanes, auto rows) {
    constexpr int size = decltype(lanes)::value;
    using Body = detail::BlockProductBody<size, decltype(rows)::value, Left, Right, Epilogue>;
    int const of_part = Body::columns_of_part(right.width());
    auto const parts = std::min(columns / of_part + 1, std::numeric_limits<Index>::max() / groups);
    core::for_each_group(space, groups * parts, core::GroupShape<size, Body::threads>{},
                         Body{left, right, epilogue, plan.of_C(), plan.groups.view(), plan.rows_per_node,
                              plan.own, static_cast<int>(parts), of_part, value});
  };
  auto const fill_by = [&](auto rows) {
    if (columns <= 16) return fill(std::integral_constant<int, 16>{}, rows);
    fill(std::integral_constant<int, 32>{}, rows);
  };
  if (plan.rows <= 3) return fill_by(std::integral_constant<int, 3>{});
  fill_by(std::integral_constant<int, 6>{});
}

}  // namespace Tessera::sparse
