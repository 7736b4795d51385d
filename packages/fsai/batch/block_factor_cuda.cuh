#pragma once
/// \file
/// L D L^T of a lower triangle by a block or by a warp on CUDA.
///
/// A panel is a column of tiles, and between two barriers a block makes one step. In step J one warp goes
/// ahead: it makes tile (J + 1, J) final and with it factorises square J + 1. The others make the rest of
/// panel J final, and subtract from panel J + 2 all products that are known by then.
#include "core/types.hpp"
#include "fsai/batch/tiles_cuda.cuh"

namespace Tessera::fsai::detail {

/// What a block has beside the matrix, and the matrix itself where there is room.
struct BlockLayout {
  static constexpr int square = (tile - 1) * tile;
  int tiles;
  __host__ __device__ int rows() const { return tile * tiles; }
  __host__ __device__ int doubles() const { return TileTriangle::doubles(tiles); }
  std::size_t bytes_beside() const {
    return sizeof(double) * (2 * rows() + 2 * square) + sizeof(Index) * rows();
  }
  std::size_t bytes() const { return sizeof(double) * doubles() + bytes_beside(); }
  /// So many that a multiprocessor, whose blocks have 227 KiB of memory, has 16 to 20 warps.
  int threads() const {
    auto const blocks = static_cast<int>((std::size_t{227} << 10) / (bytes() + 1024));
    return 32 * ((15 + blocks) / blocks);
  }
  static constexpr int most_threads = 640;  ///< those warps; their registers must fit, too
};

struct BlockMemory {
  int tiles;
  TileTriangle matrix;
  double* minus_reciprocal;  ///< of the pivots, those of a lane's two columns together
  double* solution;
  double* squares;  ///< SquareColumns of panels with even and with odd numbers
  Index* columns;

  /// matrix_outside: where the matrix lies in the device's memory; nullptr: in shared memory.
  __device__ explicit BlockMemory(int tiles, double* matrix_outside = nullptr) : tiles(tiles) {
    extern __shared__ __align__(16) unsigned char memory[];
    minus_reciprocal = reinterpret_cast<double*>(memory);
    solution = minus_reciprocal + tile * tiles;
    squares = solution + tile * tiles;
    double* const end = squares + 2 * BlockLayout::square;
    matrix.data = matrix_outside != nullptr ? matrix_outside : end;
    columns = reinterpret_cast<Index*>(end + (matrix_outside != nullptr ? 0 : TileTriangle::doubles(tiles)));
  }
  __device__ static Tile& pair(double* numbers, int K, TileLane lane) {
    return reinterpret_cast<Tile*>(numbers)[K * (tile / 2) + lane.column()];
  }
  /// Tile (J, K) of -L, of which v is that of L D.
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

/// Final numbers go nowhere else. (Otherwise column() gives what takes tiles (I, J), of which square J is
/// final.)
struct NoSink {
  struct Column {
    __device__ void operator()(int, Tile) const {}
  };
  __device__ Column column(BlockMemory const&, int, TileLane) const { return {}; }
};

/// Square J, of which c is known but for its own products: by a warp.
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

/// The warp that goes ahead, in step J.
__device__ inline void go_ahead(BlockMemory const& memory, int J, Pivots& pivots, TileLane lane) {
  auto const& A = memory.matrix;
  Tile below = A.mine(J + 1, J, lane), square = A.mine(J + 1, J + 1, lane);
  if (J > 1) add_product(below, A.mine(J + 1, J - 2, lane), memory.minus_l(J, J - 2, lane));
  if (J > 0) {
    Tile const v = A.mine(J + 1, J - 1, lane);
    add_product(below, v, memory.minus_l(J, J - 1, lane));
    add_product(square, v, memory.minus_l(v, J - 1, lane));
  }
  carry(below, square_columns(memory, J, lane), lane);
  A.mine(J + 1, J, lane) = below;
  add_product(square, below, memory.minus_l(below, J, lane));
  factorise_square(memory, J + 1, square, pivots, lane);
}

/// Rows of tiles from `first` on, every stride-th, of panel J, whose square is factorised: they lose what was
/// not known when the panel was updated, and are final.
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
    carry(c0, l, lane);
    carry(c1, l, lane);
    A.mine(I, J, lane) = c0;
    column(I, c0);
    if (other > I) {
      A.mine(other, J, lane) = c1;
      column(other, c1);
    }
  }
}

/// Tiles (I, J) and (I + 1, J) lose their products with the first `count` columns of tiles.
__device__ inline void update_tiles(BlockMemory const& memory, int I, int J, int count, TileLane lane) {
  constexpr int doubles = tile * tile;
  int const other = min(I + 1, memory.tiles - 1);
  auto const& A = memory.matrix;
  Tile c0 = A.mine(I, J, lane), c1 = A.mine(other, J, lane);
  auto const row = [&](int i) { return A.data + TileTriangle::place(i, 0) + lane.place(); };
  double const *const v0 = row(I), *const v1 = row(other), *const v = row(J);
#pragma unroll 2
  for (int K = 0; K < count; ++K)
    add_products(c0, c1, *reinterpret_cast<Tile const*>(v0 + K * doubles),
                 *reinterpret_cast<Tile const*>(v1 + K * doubles),
                 memory.minus_l(*reinterpret_cast<Tile const*>(v + K * doubles), K, lane));
  A.mine(I, J, lane) = c0;
  if (other > I) A.mine(other, J, lane) = c1;
}

/// The whole factorisation, by a block of at least two warps; ends with all threads in step. Which warp goes
/// ahead differs between blocks, so that those of one multiprocessor are different ones. The pivots are those
/// of the threads for which this returns true. The sink gets each tile of L D when it is final, from a warp.
template <class Sink>
__device__ bool factorise_block(BlockMemory const& memory, Pivots& pivots, Sink const& sink) {
  TileLane const lane;
  int const warps = blockDim.x / 32, tiles = memory.tiles;
  int const warp = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0);
  int const place = (warp + static_cast<int>(blockIdx.x)) % warps;
  int const others = warps - 1, turn = place - 1;
  if (place == 0) factorise_square(memory, 0, memory.matrix.mine(0, 0, lane), pivots, lane);
#pragma unroll 1
  for (int J = 0; J < tiles; ++J) {
    __syncthreads();
    if (place == 0 && J + 1 < tiles) go_ahead(memory, J, pivots, lane);
    if (turn < 0) continue;
    if (turn == others - 1) {
      sink.column(memory, J, lane)(J, memory.matrix.mine(J, J, lane));
      if (J > 0) sink.column(memory, J - 1, lane)(J, memory.matrix.mine(J, J - 1, lane));
    }
    finish_panel(memory, J, J + 2 + turn, others, lane, sink);
    if (J == 0) continue;
#pragma unroll 1
    for (int I = J + 2 + 2 * (others - 1 - turn); I < tiles; I += 2 * others)
      update_tiles(memory, I, J + 2, J, lane);
  }
  __syncthreads();
  return place == 0;
}

/// The same by one warp, for a system of `size` rows in so many tiles, which it has in registers.
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
      carry(a(I, J), l, lane);
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
