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
///
/// A warp factorises a small system in its registers, a block a larger one. A panel is a column of tiles, and
/// a block computes one step between two barriers. In step J one warp looks
/// ahead: it completes tile (J + 1, J), and factorises diagonal tile J + 1. The other warps complete panel J,
/// and subtract from panel J + 2 all products of completed panels.
#include "core/types.hpp"
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

/// Shared memory of a block: vectors, and the matrix if it fits.
struct BlockLayout {
  static constexpr int square = (tile - 1) * tile;
  int tiles;
  __host__ __device__ int rows() const { return tile * tiles; }
  __host__ __device__ int doubles() const { return TileTriangle::doubles(tiles); }
  std::size_t bytes_without_matrix() const {
    return sizeof(double) * (2 * rows() + 2 * square) + sizeof(Index) * rows();
  }
  std::size_t bytes() const { return sizeof(double) * doubles() + bytes_without_matrix(); }
  /// Threads that give a multiprocessor, whose blocks share 227 KiB, 16 to 20 warps.
  int threads() const {
    auto const blocks = static_cast<int>((std::size_t{227} << 10) / (bytes() + 1024));
    return 32 * ((15 + blocks) / blocks);
  }
  static constexpr int max_threads = 640;  ///< 20 warps, whose registers fit
};

struct BlockMemory {
  int tiles;
  TileTriangle matrix;
  double* minus_reciprocal;  ///< of the pivots; the two columns of a lane are adjacent
  double* solution;
  double* squares;  ///< SquareColumns of an even and of an odd panel
  Index* columns;

  /// global_matrix: the matrix in device memory; nullptr: the matrix is in shared memory.
  __device__ explicit BlockMemory(int tiles, double* global_matrix = nullptr) : tiles(tiles) {
    extern __shared__ __align__(16) unsigned char memory[];
    minus_reciprocal = reinterpret_cast<double*>(memory);
    solution = minus_reciprocal + tile * tiles;
    squares = solution + tile * tiles;
    double* const end = squares + 2 * BlockLayout::square;
    matrix.data = global_matrix != nullptr ? global_matrix : end;
    columns = reinterpret_cast<Index*>(end + (global_matrix != nullptr ? 0 : TileTriangle::doubles(tiles)));
  }
  __device__ static Tile& pair(double* numbers, int K, TileLane lane) {
    return reinterpret_cast<Tile*>(numbers)[K * (tile / 2) + lane.column()];
  }
  /// Tile (J, K) of -L; v is the tile of L D.
  __device__ Tile minus_l(Tile v, int K, TileLane lane) const {
    Tile const r = pair(minus_reciprocal, K, lane);
    return {v.x * r.x, v.y * r.y};
  }
  __device__ Tile minus_l(int J, int K, TileLane lane) const {
    return minus_l(matrix.mine(J, K, lane), K, lane);
  }
  __device__ double minus_r(int j) const { return minus_reciprocal[j / tile * tile + j % 4 * 2 + j / 4 % 2]; }
  __device__ double* square(int J) const { return squares + J % 2 * BlockLayout::square; }
};

/// A sink that ignores completed tiles. Another sink's column() gives a functor for tiles (I, J) after
/// diagonal tile J is complete.
struct NoSink {
  struct Column {
    __device__ void operator()(int, Tile) const {}
  };
  __device__ Column column(BlockMemory const&, int, TileLane) const { return {}; }
};

/// Factorises diagonal tile J on one warp. c: the tile minus all products with earlier columns of tiles.
__device__ inline void factorise_square(BlockMemory const& memory, int J, Tile c, Pivots& pivots,
                                        TileLane lane) {
  SquareColumns l;
  Tile minus_r;
  factorise_tile(c, l, minus_r, pivots, lane);
  memory.matrix.mine(J, J, lane) = c;
  if (lane.lane >= 4) return;
  BlockMemory::pair(memory.minus_reciprocal, J, lane) = minus_r;
#pragma unroll
  for (int k = 0; k < tile - 1; ++k)
    BlockMemory::pair(memory.square(J), k, lane) = {k < 3 ? l.low[k % 3] : 0.0, l.high[k]};
}

__device__ inline SquareColumns square_columns(BlockMemory const& memory, int J, TileLane lane) {
  SquareColumns l;
#pragma unroll
  for (int k = 0; k < tile - 1; ++k) {
    Tile const both = BlockMemory::pair(memory.square(J), k, lane);
    if (k < 3) l.low[k] = both.x;
    l.high[k] = both.y;
  }
  return l;
}

/// The step J of the warp that looks ahead.
__device__ inline void look_ahead(BlockMemory const& memory, int J, Pivots& pivots, TileLane lane) {
  auto const& A = memory.matrix;
  Tile below = A.mine(J + 1, J, lane), square = A.mine(J + 1, J + 1, lane);
  if (J > 1) add_product(below, A.mine(J + 1, J - 2, lane), memory.minus_l(J, J - 2, lane));
  if (J > 0) {
    Tile const v = A.mine(J + 1, J - 1, lane);
    add_product(below, v, memory.minus_l(J, J - 1, lane));
    add_product(square, v, memory.minus_l(v, J - 1, lane));
  }
  eliminate_tile(below, square_columns(memory, J, lane), lane);
  A.mine(J + 1, J, lane) = below;
  add_product(square, below, memory.minus_l(below, J, lane));
  factorise_square(memory, J + 1, square, pivots, lane);
}

/// Completes row tiles first, first + stride, ... of panel J, whose diagonal tile is complete: subtracts the
/// products with panels J - 2 and J - 1, which the update of the panel did not have, and the products within
/// the panel.
template <class Sink>
__device__ void finish_panel(BlockMemory const& memory, int J, int first, int stride, TileLane lane,
                             Sink const& sink) {
  if (first >= memory.tiles) return;
  auto const& A = memory.matrix;
  auto const l = square_columns(memory, J, lane);
  auto const column = sink.column(memory, J, lane);
  Tile const last = J > 0 ? memory.minus_l(J, J - 1, lane) : Tile{0, 0};
  Tile const last_but_one = J > 1 ? memory.minus_l(J, J - 2, lane) : Tile{0, 0};
#pragma unroll 1
  for (int I = first; I < memory.tiles; I += 2 * stride) {
    int const other = I + stride < memory.tiles ? I + stride : I;
    Tile c0 = A.mine(I, J, lane), c1 = A.mine(other, J, lane);
    if (J > 1) add_products(c0, c1, A.mine(I, J - 2, lane), A.mine(other, J - 2, lane), last_but_one);
    if (J > 0) add_products(c0, c1, A.mine(I, J - 1, lane), A.mine(other, J - 1, lane), last);
    eliminate_tile(c0, l, lane);
    eliminate_tile(c1, l, lane);
    A.mine(I, J, lane) = c0;
    column(I, c0);
    if (other > I) {
      A.mine(other, J, lane) = c1;
      column(other, c1);
    }
  }
}

/// Subtracts from tiles (I, J) and (I + 1, J) their products with the first `count` columns of tiles.
__device__ inline void update_tiles(BlockMemory const& memory, int I, int J, int count, TileLane lane) {
  constexpr int doubles = tile * tile;
  int const other = min(I + 1, memory.tiles - 1);
  auto const& A = memory.matrix;
  Tile c0 = A.mine(I, J, lane), c1 = A.mine(other, J, lane);
  auto const row = [&](int i) { return A.data + TileTriangle::offset(i, 0) + lane.offset(); };
  double const *const v0 = row(I), *const v1 = row(other), *const v = row(J);
#pragma unroll 2
  for (int K = 0; K < count; ++K)
    add_products(c0, c1, *reinterpret_cast<Tile const*>(v0 + K * doubles),
                 *reinterpret_cast<Tile const*>(v1 + K * doubles),
                 memory.minus_l(*reinterpret_cast<Tile const*>(v + K * doubles), K, lane));
  A.mine(I, J, lane) = c0;
  if (other > I) A.mine(other, J, lane) = c1;
}

/// The factorisation by a block of at least two warps; ends with a barrier. Which warp looks ahead depends on
/// the block, so that it differs between the blocks of a multiprocessor. The threads for which this returns
/// true have the pivots. A warp passes each completed tile of L D to the sink.
template <class Sink>
__device__ bool factorise_block(BlockMemory const& memory, Pivots& pivots, Sink const& sink) {
  TileLane const lane;
  int const warps = blockDim.x / 32, tiles = memory.tiles;
  int const warp = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0);
  int const position = (warp + static_cast<int>(blockIdx.x)) % warps;
  int const other_warps = warps - 1, turn = position - 1;
  if (position == 0) factorise_square(memory, 0, memory.matrix.mine(0, 0, lane), pivots, lane);
#pragma unroll 1
  for (int J = 0; J < tiles; ++J) {
    __syncthreads();
    if (position == 0 && J + 1 < tiles) look_ahead(memory, J, pivots, lane);
    if (turn < 0) continue;
    if (turn == other_warps - 1) {
      sink.column(memory, J, lane)(J, memory.matrix.mine(J, J, lane));
      if (J > 0) sink.column(memory, J - 1, lane)(J, memory.matrix.mine(J, J - 1, lane));
    }
    finish_panel(memory, J, J + 2 + turn, other_warps, lane, sink);
    if (J == 0) continue;
#pragma unroll 1
    for (int I = J + 2 + 2 * (other_warps - 1 - turn); I < tiles; I += 2 * other_warps)
      update_tiles(memory, I, J + 2, J, lane);
  }
  __syncthreads();
  return position == 0;
}

/// The factorisation by one warp with all tiles in registers, for a system of `size` rows.
template <int Tiles, class Sink>
__device__ void factorise_warp(BlockMemory const& memory, int size, Pivots& pivots, Sink const& sink) {
  TileLane const lane;
  Tile tiles[Tiles * (Tiles + 1) / 2];
  auto const a = [&](int I, int J) -> Tile& { return tiles[I * (I + 1) / 2 + J]; };
#pragma unroll
  for (int I = 0; I < Tiles; ++I) {
#pragma unroll
    for (int J = 0; J <= I; ++J) a(I, J) = memory.matrix.mine(I, J, lane);
  }
#pragma unroll
  for (int J = 0; J < Tiles; ++J) {
    if (J * tile >= size) break;
    SquareColumns l;
    Tile minus_r;
    factorise_tile(a(J, J), l, minus_r, pivots, lane);
    memory.matrix.mine(J, J, lane) = a(J, J);
    if (lane.lane < 4) BlockMemory::pair(memory.minus_reciprocal, J, lane) = minus_r;
    __syncwarp();
    auto const column = sink.column(memory, J, lane);
    column(J, a(J, J));
#pragma unroll
    for (int I = J + 1; I < Tiles; ++I) {
      eliminate_tile(a(I, J), l, lane);
      memory.matrix.mine(I, J, lane) = a(I, J);
      column(I, a(I, J));
    }
#pragma unroll
    for (int K = J + 1; K < Tiles; ++K) {
      Tile const minus_l{a(K, J).x * minus_r.x, a(K, J).y * minus_r.y};
#pragma unroll
      for (int I = K; I + 1 < Tiles; I += 2)
        add_products(a(I, K), a(I + 1, K), a(I, J), a(I + 1, J), minus_l);
      if ((Tiles - K) % 2 == 1) add_product(a(Tiles - 1, K), a(Tiles - 1, J), minus_l);
    }
  }
  __syncwarp();
}

}  // namespace Tessera::fsai::detail
