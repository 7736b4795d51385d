#pragma once
/// \file
/// Kernels that find the scatter indices of a merge's products, and that sum by scatter indices. A group of
/// lanes takes a row of the left operand and walks over its entries. The products of one entry have different
/// scatter indices, so lanes add them at once, while loads of the next entries are in flight. So every sum
/// runs in the order of the entries, without atomics. All groups of a warp do the same number of rounds. For
/// many short rows, a thread takes a row, with its sums in a bank of its own.
#include "core/cuda_check.cuh"
#include "core/span.hpp"
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::sparse {
namespace detail {

struct ScatterLaunch {
  static constexpr int threads = 64;
  static constexpr std::size_t memory = std::size_t{48} << 10;  ///< bytes of a block with several groups
  static constexpr int lane_rows = 128;                         ///< threads of a block that take a row each
  static constexpr int chunk = 32;         ///< rows whose scatter indices are interleaved then
  static constexpr Offset most = 1 << 14;  ///< entries of a row of C; it lies in shared memory
};

/// Rows of C that a launch takes, a group of lanes each.
struct ScatterRows {
  Index count;
  Index const* list;  ///< null: all rows
  int most;           ///< rows of more entries in C are skipped
  int stride;         ///< distance between two groups in shared memory
};

/// A group's row: its number, its entries in the left operand and in C.
template <int Lanes, class Left>
struct ScatterRow {
  static constexpr unsigned warp = 0xffffffffu;
  int lane, group;
  Index row = 0;
  typename Left::Row a;
  Offset k = 0, end = 0, begin = 0;
  int length = 0;

  __device__ ScatterRow(ScatterRows const& rows, Left const& A, Offset const* of_C)
      : lane(static_cast<int>(threadIdx.x) % Lanes),
        group(static_cast<int>(threadIdx.x) / Lanes),
        a(A.row(0)) {
    auto const p = static_cast<Offset>(blockIdx.x) * (blockDim.x / Lanes) + group;
    if (p >= rows.count) return;
    Index const i = rows.list == nullptr ? static_cast<Index>(p) : rows.list[p];
    auto const entries = of_C[i + 1] - of_C[i];
    if (entries > rows.most) return;
    row = i;
    a = A.row(i);
    k = a.begin;
    end = a.end;
    begin = of_C[i];
    length = static_cast<int>(entries);
  }
  /// Entries of the warp's longest row in this round, in which a lane takes one; 0: the end.
  __device__ int round() const {
    return __reduce_max_sync(warp, k < end ? static_cast<int>(min(end - k, Offset{Lanes})) : 0);
  }
};

/// The index of a key; the number of keys if it is missing.
__device__ inline int scatter_index_of(Span<Index const> keys, Index key) {
  auto const at = static_cast<int>(core::lower_bound(keys, key));
  auto const size = static_cast<int>(keys.size());
  return at < size && keys[at] == key ? at : size;
}

/// Searches the keys of C's columns in shared memory. chunk: see ProductPlan.
template <int Lanes, class Left, class Right, class Epilogue, class ScatterIndex>
__global__ void __launch_bounds__(ScatterLaunch::threads)
    find_scatter_kernel(Left A, Right B, Epilogue epilogue, CsrView<double> C, Offset const* first,
                        ScatterIndex* scatter, int chunk, ScatterRows rows) {
  extern __shared__ __align__(16) unsigned char memory[];
  constexpr unsigned warp = 0xffffffffu;
  ScatterRow<Lanes, Left> of(rows, A, C.offsets.data());
  Index* const key = reinterpret_cast<Index*>(memory) + of.group * rows.stride;
  for (int s = of.lane; s < of.length; s += Lanes) key[s] = epilogue.key(C.column[of.begin + s]);
  __syncwarp();
  Span<Index const> const keys(key, of.length);
  scatter += first[of.row / chunk] + of.row % chunk;
  if constexpr (Right::single) {
    for (auto k = of.k + of.lane; k < of.end; k += Lanes) {
      of.a.move(k);
      auto const j = of.a.source();
      bool const is_in = of.a.keeps() && B.begin(j) < B.end(j);
      auto const at = is_in ? scatter_index_of(keys, epilogue.key(B.column(B.begin(j)))) : of.length;
      scatter[(k - of.k) * chunk] = static_cast<ScatterIndex>(at);
    }
  } else {
    for (int count; (count = of.round()) > 0; of.k += Lanes) {
      Offset from = 0, until = 0;
      auto const k = of.k + of.lane;
      if (k < of.end) {
        of.a.move(k);
        if (of.a.keeps()) {
          from = B.begin(of.a.source());
          until = B.end(of.a.source());
        }
      }
      for (int e = 0; e < count; ++e) {
        auto const l0 = __shfl_sync(warp, from, e, Lanes), last = __shfl_sync(warp, until, e, Lanes);
        for (auto l = l0 + of.lane; l < last; l += Lanes)
          scatter[(l - l0) * chunk] =
              static_cast<ScatterIndex>(scatter_index_of(keys, epilogue.key(B.column(l))));
        scatter += (last - l0) * chunk;
      }
    }
  }
}

/// An entry: its factor and the entries of the right operand that it multiplies; 16 bytes, so that lanes read
/// it by one load.
struct alignas(16) ScatterEntry {
  static constexpr int length_bits = 16;  ///< more than ScatterLaunch::most
  double factor;
  Offset range;

  ScatterEntry() = default;
  __device__ ScatterEntry(double value, Offset first, Offset length)
      : factor(value), range(first << length_bits | length) {}
  __device__ Offset first() const { return range >> length_bits; }
  __device__ int length() const { return static_cast<int>(range & ((1 << length_bits) - 1)); }
};

/// Stores the sums of a row.
template <int Lanes, class Left, class Epilogue>
__device__ void store_sums(ScatterRow<Lanes, Left> const& of, Epilogue const& epilogue, Index const* column,
                           double const* sum, double* target) {
  if (of.length == 0) return;
  auto const of_row = epilogue.row(of.row);
  for (int s = of.lane; s < of.length; s += Lanes) {
    if constexpr (Epilogue::plain) {
      target[of.begin + s] = sum[s];
    } else {
      target[of.begin + s] = of_row(column[of.begin + s], sum[s]);
    }
  }
}

/// A P of Laplace3D 256^3 takes 2.5 ms; with twice the lanes 3.7 ms; with two products of an entry for each
/// lane 3.3 ms.
template <int Lanes, class Left, class Right, class Epilogue, class ScatterIndex>
__global__ void __launch_bounds__(ScatterLaunch::threads)
    scatter_sum_kernel(Left A, Right B, Epilogue epilogue, Offset const* offsets, Index const* column,
                       double* target, Offset const* first, ScatterIndex const* scatter, ScatterRows rows) {
  extern __shared__ __align__(16) unsigned char memory[];
  constexpr int batch = 4;  // entries at a time
  constexpr bool masked = IsMasked<Epilogue>::value;
  ScatterRow<Lanes, Left> of(rows, A, offsets);
  int const lane = of.lane;
  auto* const entries = reinterpret_cast<ScatterEntry*>(memory) + of.group * Lanes;
  double* const sum =
      reinterpret_cast<double*>(memory + sizeof(ScatterEntry) * blockDim.x) + of.group * rows.stride;
  for (int s = lane; s < of.length; s += Lanes) sum[s] = 0;
  scatter += first[of.row] + lane;
  for (int count; (count = of.round()) > 0; of.k += Lanes) {
    ScatterEntry mine(0, 0, 0);
    auto const k = of.k + lane;
    if (k < of.end) {
      of.a.move(k);
      if (of.a.keeps()) {
        auto const from = B.begin(of.a.source());
        mine = {of.a.factor(), from, B.end(of.a.source()) - from};
      }
    }
    __syncwarp();
    entries[lane] = mine;
    __syncwarp();
    for (int e0 = 0; e0 < count; e0 += batch) {
      ScatterEntry entry[batch];
      double value[batch];
      int to[batch];
      ScatterIndex const* rest = scatter;
#pragma unroll
      for (int e = 0; e < batch; ++e) {
        entry[e] = entries[e0 + e];
        if (lane < entry[e].length()) {
          to[e] = *scatter;
          value[e] = B.value(entry[e].first() + lane);
        }
        scatter += entry[e].length();
      }
#pragma unroll
      for (int e = 0; e < batch; ++e) {
        int const length = entry[e].length();
        if (lane < length && (!masked || to[e] < of.length)) sum[to[e]] += entry[e].factor * value[e];
        __syncwarp();
        for (int l = lane + Lanes; __any_sync(ScatterRow<Lanes, Left>::warp, l < length); l += Lanes) {
          if (l < length) {
            int const place = rest[l - lane];
            double const product = entry[e].factor * B.value(entry[e].first() + l);
            if (!masked || place < of.length) sum[place] += product;
          }
          __syncwarp();
        }
        rest += length;
      }
    }
  }
  store_sums<Lanes>(of, epilogue, column, sum, target);
}

/// For single rows of the right operand: each lane takes a product. Lanes with the same scatter index add in
/// turn.
template <int Lanes, class Left, class Right, class Epilogue, class ScatterIndex>
__global__ void __launch_bounds__(ScatterLaunch::threads)
    scatter_single_kernel(Left A, Right B, Epilogue epilogue, Offset const* offsets, Index const* column,
                          double* target, Offset const* first, ScatterIndex const* scatter,
                          ScatterRows rows) {
  extern __shared__ __align__(16) unsigned char memory[];
  constexpr unsigned warp = ScatterRow<Lanes, Left>::warp;
  ScatterRow<Lanes, Left> of(rows, A, offsets);
  int const lane = of.lane, warp_lane = static_cast<int>(threadIdx.x) % 32;
  double* const sum = reinterpret_cast<double*>(memory) + of.group * rows.stride;
  for (int s = lane; s < of.length; s += Lanes) sum[s] = 0;
  __syncwarp();
  scatter += first[of.row] - of.k;
  while (of.round() > 0) {
    auto const k = of.k + lane;
    bool const mine = k < of.end;
    int to = -1 - warp_lane;
    double product = 0;
    if (mine) {
      of.a.move(k);
      to = of.group * rows.stride + scatter[k];
      product = of.a.factor() * B.value(of.a.source());
    }
    int const turn = __popc(__match_any_sync(warp, to) & ((1u << warp_lane) - 1));
    int const turns = __reduce_max_sync(warp, turn) + 1;
    for (int t = 0; t < turns; ++t) {
      if (mine && turn == t) reinterpret_cast<double*>(memory)[to] += product;
      __syncwarp();
    }
    of.k += Lanes;
  }
  store_sums<Lanes>(of, epilogue, column, sum, target);
}

/// A thread takes a row. Scatter indices are interleaved, so that lanes of a warp read neighbours. A P as
/// above takes 1.8 ms in a trial program; with scatter indices row by row 2.3 ms; with entries loaded four
/// ahead 2.2 ms.
template <class Left, class Right, class Epilogue>
__global__ void __launch_bounds__(ScatterLaunch::lane_rows)
    scatter_lane_rows_kernel(Left A, Right B, Epilogue epilogue, Offset const* offsets, Index const* column,
                             double* target, Offset const* first, unsigned char const* scatter) {
  extern __shared__ __align__(16) unsigned char memory[];
  constexpr int threads = ScatterLaunch::lane_rows, chunk = ScatterLaunch::chunk,
                batch = 4;  // products of one entry, or single ones, loaded at once
  double* const sum = reinterpret_cast<double*>(memory) + threadIdx.x;
  auto const i = static_cast<Index>(blockIdx.x * threads + threadIdx.x);
  if (i >= A.rows()) return;
  auto const begin = offsets[i];
  int const length = static_cast<int>(offsets[i + 1] - begin);
  scatter += first[i / chunk] + i % chunk;
  for (int s = 0; s < length; ++s) sum[s * threads] = 0;
  auto row = A.row(i);
  if constexpr (Right::single) {
    for (auto k = row.begin; k < row.end; k += batch) {
      double product[batch];
      int to[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (k + q < row.end) {
          row.move(k + q);
          to[q] = scatter[(k - row.begin + q) * chunk];
          product[q] = row.factor() * B.value(row.source());
        }
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (k + q < row.end) sum[to[q] * threads] += product[q];
      }
    }
  } else {
    for (auto k = row.begin; k < row.end; ++k) {
      row.move(k);
      if (!row.keeps()) continue;
      double const a = row.factor();
      auto const first_of_j = B.begin(row.source());
      auto const count = static_cast<int>(B.end(row.source()) - first_of_j);
      double value[batch];
      int to[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (q < count) {
          value[q] = B.value(first_of_j + q);
          to[q] = scatter[q * chunk];
        }
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (q < count) sum[to[q] * threads] += a * value[q];
      }
      for (int q = batch; q < count; ++q) sum[scatter[q * chunk] * threads] += a * B.value(first_of_j + q);
      scatter += count * chunk;
    }
  }
  if (length == 0) return;
  auto const of_row = epilogue.row(i);
  for (int s = 0; s < length; ++s) {
    if constexpr (Epilogue::plain) {
      target[begin + s] = sum[s * threads];
    } else {
      target[begin + s] = of_row(column[begin + s], sum[s * threads]);
    }
  }
}

}  // namespace detail
}  // namespace Tessera::sparse
