#pragma once
/// \file
/// Dense systems of at most 16 rows on CUDA: a part of a warp takes a system, with its rows in registers.
///
/// Lane l of `lanes` has rows l, lanes + l, 2 lanes + l, ..., one in each slot. A system occupies the end of
/// a square of `size` rows, after an identity whose steps are skipped. In step k each lane subtracts v_ik
/// l_jk from its entries of columns j > k, with l_jk from shared memory, and shifts them by one register. So
/// column k always is the first register, and the loop over k needs no unrolling. The loop is split where the
/// rows of a slot end.
#include "fsai/batch/row_task_cuda.cuh"

namespace Tessera::fsai::detail {

template <int Lanes, int Slots>
struct SmallShape {
  static constexpr int lanes = Lanes, slots = Slots, size = Lanes * Slots;
  static constexpr int warps = 2, systems = 32 / Lanes;
  /// Doubles of a system: the columns, each from an even row on; then padding that puts systems into
  /// different banks and makes reads past the end valid.
  static constexpr int doubles = size * size / 2 + size + 6;
  static constexpr int top = size / 2;
  /// Position of row 0 of column k, whether or not it is stored.
  __device__ static int column(int k) {
    int const pair = k / 2;
    return 2 * pair * (size - pair) + (k & 1) * (size - 2 * pair);
  }
};

/// The part of one system on one lane.
template <int Lanes, int Slots>
struct SmallSystem {
  using Shape = SmallShape<Lanes, Slots>;
  static constexpr int lanes = Shape::lanes, slots = Shape::slots, size = Shape::size;
  core::ThreadGroup<lanes> group;
  double* matrix;  ///< in shared memory
  double a[slots][size];
  double pivot = 1;     ///< of the last column
  bool failed = false;  ///< a pivot is not positive and finite

  __device__ void load(int first) {
#pragma unroll
    for (int j = 0; j < size; ++j) {
      int const c = first + j;
      double const* const from = matrix + Shape::column(c < size ? c : 0) + group.lane;
#pragma unroll
      for (int s = 0; s < slots; ++s) {
        if (j < (s + 1) * lanes) a[s][j] = from[s * lanes];
      }
    }
  }

  /// Eliminates column k, whose row is in slot Chunk.
  template <int Chunk>
  __device__ void step(int k) {
    double const d = __shfl_sync(group.mask, a[Chunk][0], k, lanes);
    failed = failed || !is_pivot(d);
    pivot = d;
    double const r = __drcp_rn(d);
    double* const column = matrix + Shape::column(k);
    double v[slots];
#pragma unroll
    for (int s = Chunk; s < slots; ++s) {
      v[s] = a[s][0];
      int const i = s * lanes + group.lane;
      if (s > Chunk || i >= k) column[i] = i == k ? d : v[s] * r;
    }
    __syncwarp();
    constexpr int length = (slots - Chunk) * lanes;
    double const* const l = column + k;
    auto const update = [&](int j, double lj) {
#pragma unroll
      for (int s = Chunk; s < slots; ++s) {
        if (j < (s + 1 - Chunk) * lanes) a[s][j - 1] = fma(-v[s], lj, a[s][j]);
      }
    };
    // Single loads are faster than pairs here, because many lanes share a value.
#pragma unroll
    for (int j = 1; j < length; ++j) {
      if (j >= length - lanes && k + j >= size) break;
      update(j, l[j]);
    }
  }

  template <int Chunk>
  __device__ void eliminate(int first) {
    if constexpr (Chunk < slots) {
#pragma unroll 1
      for (int k = first > Chunk * lanes ? first : Chunk * lanes; k < (Chunk + 1) * lanes; ++k)
        step<Chunk>(k);
      eliminate<Chunk + 1>(first);
    }
  }

  /// x[s] of the solution of L^T x = the last unit vector.
  __device__ void substitute(int first, double (&x)[slots]) const {
#pragma unroll
    for (int s = 0; s < slots; ++s) x[s] = s * lanes + group.lane == size - 1 ? 1.0 : 0.0;
#pragma unroll
    for (int chunk = slots - 1; chunk >= 0; --chunk) {
      int const least = first > chunk * lanes ? first : chunk * lanes;
#pragma unroll 2
      for (int k = (chunk + 1 < slots ? (chunk + 1) * lanes : size) - 1; k >= least; --k) {
        double const xk = __shfl_sync(group.mask, x[chunk], k, lanes);
#pragma unroll
        for (int s = 0; s <= chunk; ++s) {
          int const j = s * lanes + group.lane;
          if (s < chunk || j < k) x[s] = fma(-matrix[Shape::column(j) + k], xk, x[s]);
        }
      }
    }
  }
};

template <class Shape>
struct SmallMemory {
  double matrix[Shape::systems][Shape::doubles];
  Index columns[Shape::systems][Shape::size];
};

/// Systems of one warp start at the first row of the largest system. Smaller systems have rows of the
/// identity before their own.
template <class Shape>
__device__ int begin_small(core::ThreadGroup<Shape::lanes> const& group, int pad, double* matrix) {
  int first = pad;
  for (int distance = 16; distance > 0; distance /= 2)
    first = min(first, __shfl_xor_sync(0xffffffffu, first, distance));
  first &= ~1;
  if (first >= Shape::size) return first;
  for (int k = Shape::column(first) + first + 2 * group.lane; k < Shape::doubles; k += 2 * Shape::lanes)
    *reinterpret_cast<double2*>(matrix + k) = make_double2(0, 0);
  __syncwarp();
  for (int k = first + group.lane; k < pad; k += Shape::lanes) matrix[Shape::column(k) + k] = 1.0;
  return first;
}

/// One part of a warp for each row. width: lanes that read a row of A.
template <class System>
__global__ void __launch_bounds__(32 * System::Shape::warps) small_rows_kernel(RowTask task, int width) {
  using Shape = typename System::Shape;
  __shared__ __align__(16) SmallMemory<Shape> memory[Shape::warps];
  constexpr int lanes = Shape::lanes, size = Shape::size;
  auto& mine = memory[threadIdx.x / 32];
  System system;
  int const g = threadIdx.x % 32 / lanes;
  auto const p = static_cast<Index>((blockIdx.x * Shape::warps + threadIdx.x / 32) * Shape::systems) + g;
  int const m = p < task.count ? task.size(p) : 0;
  int const pad = size - m;
  system.matrix = mine.matrix[g];
  Index* const P = mine.columns[g];
  for (int k = system.group.lane; k < pad; k += lanes) P[k] = -1;
  if (m > 0) task.columns(system.group, lanes, p, m, P + pad);
  int const first = begin_small<Shape>(system.group, pad, system.matrix);
  __syncwarp();
  int const lane = system.group.lane, part = min(width, lanes);
  task.gather(lane % part, part, P, pad, size, Shape::top, lane / part, lanes / part,
              [&](int i, int j, double a) { system.matrix[Shape::column(j) + i] = a; });
  __syncwarp();
  system.load(first);
  __syncwarp();
  system.template eliminate<0>(first);
  double x[Shape::slots];
  __syncwarp();
  system.substitute(first, x);
  if (m == 0) return;
  if (system.failed && system.group.lane == 0) task.fail(p);
  double const scale = 1.0 / sqrt(system.pivot);
  double* const target = task.target(p) - pad;
  for (int s = 0; s < Shape::slots; ++s) {
    int const i = s * lanes + system.group.lane;
    if (i >= pad && i < size) target[i] = x[s] * scale;
  }
}

}  // namespace Tessera::fsai::detail
