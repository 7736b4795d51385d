#pragma once
/// \file
/// L D L^T of a lower triangle in tiles of 8 x 8 on CUDA: a warp takes a tile, and tensor cores compute
/// products.
///
/// Lane 4 p + q of a warp has columns q and q + 4 of row p / 2 + p % 2 * 4 of a tile. With rows and columns
/// in this order, a tile is an operand of mma.m8n8k4 without any exchange (PTX ISA, "matrix fragments for
/// mma.m8n8k4 with .f64"). Columns q of all lanes are a left factor of 8 x 4, or the transpose of a right
/// factor; both columns are a result. Instruction m16n8k8 takes two such tiles, one above the other. So
/// products in sequence move no number between lanes.
///
/// A product on the tensor cores is bitwise the chain of fused multiply-adds in ascending k of
/// row_systems.hpp.
#include "fsai/batch/row_task_cuda.cuh"

namespace Tessera::fsai::detail {

constexpr int tile = 8;  ///< rows and columns of a tile

/// The two numbers of a tile on one lane.
using Tile = double2;

/// c_ij = fma(a_ik, b_jk, c_ij) for k = 0, 1, ..., 7. (Before compute capability 9.0, by slow exchanges
/// between lanes.)
__device__ inline void add_product(Tile& c, Tile a, Tile b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c.x), "+d"(c.y)
      : "d"(a.x), "d"(b.x));
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c.x), "+d"(c.y)
      : "d"(a.y), "d"(b.y));
#else
  int const row = static_cast<int>(threadIdx.x) % 4 * tile;
  for (int k = 0; k < tile; ++k) {
    double const a_k = __shfl_sync(0xffffffffu, k < 4 ? a.x : a.y, k % 4, 4), b_k = k < 4 ? b.x : b.y;
    c.x = fma(a_k, __shfl_sync(0xffffffffu, b_k, row + k % 4), c.x);
    c.y = fma(a_k, __shfl_sync(0xffffffffu, b_k, row + 4 + k % 4), c.y);
  }
#endif
}

/// The same for two tiles c at once, in half the time.
__device__ inline void add_products(Tile& c0, Tile& c1, Tile a0, Tile a1, Tile b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c0.x), "+d"(c0.y), "+d"(c1.x), "+d"(c1.y)
      : "d"(a0.x), "d"(a1.x), "d"(a0.y), "d"(a1.y), "d"(b.x), "d"(b.y));
#else
  add_product(c0, a0, b);
  add_product(c1, a1, b);
#endif
}

/// Position of a lane in a tile.
struct TileLane {
  int lane = static_cast<int>(threadIdx.x) % 32;
  __device__ int column() const { return lane % 4; }  ///< and column() + 4
  __device__ int row() const { return lane / 8 + lane / 4 % 2 * 4; }
  /// Index of the first of this lane's two numbers in memory. The order puts the columns of a row, and the
  /// rows of a column, into different banks.
  __device__ int offset() const { return lane / 4 * tile + (lane % 4 ^ lane / 8) * 2; }
};

/// A lower triangle of tiles, stored by rows of tiles.
struct TileTriangle {
  double* data;
  __host__ __device__ static int doubles(int tiles) { return tiles * (tiles + 1) / 2 * tile * tile; }
  __device__ static int offset(int I, int J) { return (I * (I + 1) / 2 + J) * tile * tile; }
  __device__ static int within(int i, int j) {
    return i % 4 * 2 * tile + i / 4 % 2 * tile + (j % 4 ^ i % 4) * 2 + j / 4 % 2;
  }
  __device__ double& at(int i, int j) const { return data[offset(i / tile, j / tile) + within(i, j)]; }
  __device__ Tile& mine(int I, int J, TileLane lane) const {
    return *reinterpret_cast<Tile*>(data + offset(I, J) + lane.offset());
  }
};

/// Records pivots that are not positive and finite.
struct Pivots {
  bool failed = false;
  __device__ void add(double d) { failed = failed || !is_pivot(d); }
};

/// The part of L of a diagonal tile on one lane: -l_jk for its columns j = q and q + 4, 0 for k >= j.
struct SquareColumns {
  double low[3], high[7];
};

/// Subtracts from a tile below the diagonal its products with columns of the same tile.
__device__ inline void eliminate_tile(Tile& c, SquareColumns const& l, TileLane lane) {
#pragma unroll
  for (int k = 0; k < tile - 1; ++k) {
    double const v = __shfl_sync(0xffffffffu, k < 4 ? c.x : c.y, k % 4, 4);
    if (k < 3) c.x = fma(v, l.low[k], c.x);
    c.y = fma(v, l.high[k], c.y);
  }
}

/// Factorises a diagonal tile. minus_r: -1 / pivots of the lane's columns.
__device__ inline void factorise_tile(Tile& c, SquareColumns& l, Tile& minus_r, Pivots& pivots,
                                      TileLane lane) {
  int const q = lane.column();
#pragma unroll
  for (int k = 0; k < tile; ++k) {
    double const column = k < 4 ? c.x : c.y;
    double const pivot = __shfl_sync(0xffffffffu, column, k % 4 * tile + k / 4 * 4 + k % 4);
    double const v = __shfl_sync(0xffffffffu, column, k % 4, 4);
    double const low = k < 3 ? __shfl_sync(0xffffffffu, column, q * tile + k % 4) : 0.0;
    double const high = k < 7 ? __shfl_sync(0xffffffffu, column, q * tile + 4 + k % 4) : 0.0;
    pivots.add(pivot);
    double const r = __drcp_rn(-pivot);
    if (q == k % 4) (k < 4 ? minus_r.x : minus_r.y) = r;
    if (k < 3) {
      l.low[k] = q > k ? low * r : 0.0;
      c.x = fma(v, l.low[k], c.x);
    }
    if (k < 7) {
      l.high[k] = q + 4 > k ? high * r : 0.0;
      c.y = fma(v, l.high[k], c.y);
    }
  }
}

}  // namespace Tessera::fsai::detail
