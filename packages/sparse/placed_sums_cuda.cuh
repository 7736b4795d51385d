#pragma once
/// \file
/// Kernels that find the places of the products of C = A B, and that sum with known places. A group of lanes
/// takes a row of A and goes through its entries. The products of one entry belong to different places, so
/// they are added at once; what some entries to come read is on its way meanwhile. So every sum runs in the
/// order of A's entries, without atomics. Groups of a warp go round together. Where rows are many and short,
/// a thread takes a row, with its sums in a bank of its own.
#include "core/cuda_check.cuh"
#include "sparse/spgemm_body.hpp"

namespace Tessera::sparse {
namespace detail {

struct PlacesLaunch {
  static constexpr int threads = 64;
  static constexpr std::size_t memory = std::size_t{48} << 10;  ///< of a block, where it has several groups
  static constexpr int lane_rows = 128;                         ///< threads of a block that take a row each
  static constexpr int chunk = 32;                              ///< rows whose places are interleaved then
  static constexpr Offset most = 1 << 14;  ///< entries of a row of C; it lies in shared memory
};

/// Rows of a product that a launch takes, a group of lanes each.
struct PlacedRows {
  Index count;
  Index const* list;  ///< null: all rows
  int most;           ///< those of more entries in C are not taken
  int stride;         ///< between what two groups have in shared memory
};

/// A group's row: which one, its entries in A and in C.
template <int Lanes>
struct PlacedRow {
  static constexpr unsigned warp = 0xffffffffu;
  int lane, group;
  Index row = 0;
  Offset k = 0, end = 0, begin = 0;
  int length = 0;

  __device__ PlacedRow(PlacedRows const& rows, Offset const* of_A, Offset const* of_C)
      : lane(static_cast<int>(threadIdx.x) % Lanes), group(static_cast<int>(threadIdx.x) / Lanes) {
    auto const p = static_cast<Offset>(blockIdx.x) * (blockDim.x / Lanes) + group;
    if (p >= rows.count) return;
    Index const i = rows.list == nullptr ? static_cast<Index>(p) : rows.list[p];
    auto const entries = of_C[i + 1] - of_C[i];
    if (entries > rows.most) return;
    row = i;
    k = of_A[i];
    end = of_A[i + 1];
    begin = of_C[i];
    length = static_cast<int>(entries);
  }
  /// How many entries of A the longest of the warp's rows has in this round of one for each lane; 0 ends.
  __device__ int round() const {
    return __reduce_max_sync(warp, k < end ? static_cast<int>(min(end - k, Offset{Lanes})) : 0);
  }
};

/// Columns of C's row are searched in shared memory. chunk: see EntryPlaces.
template <int Lanes, class T, class Place>
__global__ void __launch_bounds__(PlacesLaunch::threads)
    find_places_kernel(CsrView<T> A, CsrView<T> B, CsrView<T> C, Offset const* first, Place* place, int chunk,
                       PlacedRows rows) {
  extern __shared__ __align__(16) unsigned char memory[];
  constexpr unsigned warp = 0xffffffffu;
  PlacedRow<Lanes> of(rows, A.offsets.data(), C.offsets.data());
  Index* const column = reinterpret_cast<Index*>(memory) + of.group * rows.stride;
  for (int s = of.lane; s < of.length; s += Lanes) column[s] = C.column[of.begin + s];
  __syncwarp();
  place += first[of.row / chunk] + of.row % chunk;
  for (int count; (count = of.round()) > 0; of.k += Lanes) {
    Offset from = 0, until = 0;
    if (of.k + of.lane < of.end) {
      auto const j = A.column[of.k + of.lane];
      from = B.offsets[j];
      until = B.offsets[j + 1];
    }
    for (int e = 0; e < count; ++e) {
      auto const l0 = __shfl_sync(warp, from, e, Lanes), last = __shfl_sync(warp, until, e, Lanes);
      for (auto l = l0 + of.lane; l < last; l += Lanes)
        place[(l - l0) * chunk] = static_cast<Place>(find_column(column, 0, of.length, B.column[l]));
      place += (last - l0) * chunk;
    }
  }
}

/// An entry of A: its value and which entries of B it multiplies; 16 bytes, so that one load hands it round.
template <class T>
struct alignas(16) PlacedEntry {
  static constexpr int length_bits = 16;  ///< more than PlacesLaunch::most
  T factor;
  Offset range;

  PlacedEntry() = default;
  __device__ PlacedEntry(T value, Offset first, Offset length)
      : factor(value), range(first << length_bits | length) {}
  __device__ Offset first() const { return range >> length_bits; }
  __device__ int length() const { return static_cast<int>(range & ((1 << length_bits) - 1)); }
};

template <int Lanes, class T, class Place>
__global__ void __launch_bounds__(PlacesLaunch::threads)
    sum_placed_kernel(CsrView<T> A, CsrView<T> B, Offset const* offsets, T* target, Offset const* first,
                      Place const* place, PlacedRows rows) {
  extern __shared__ __align__(16) unsigned char memory[];
  constexpr int ahead = 4;  // entries of A at a time
  PlacedRow<Lanes> of(rows, A.offsets.data(), offsets);
  int const lane = of.lane;
  auto* const entries = reinterpret_cast<PlacedEntry<T>*>(memory) + of.group * Lanes;
  T* const sum = reinterpret_cast<T*>(memory + sizeof(PlacedEntry<T>) * blockDim.x) + of.group * rows.stride;
  for (int s = lane; s < of.length; s += Lanes) sum[s] = T{0};
  place += first[of.row] + lane;
  for (int count; (count = of.round()) > 0; of.k += Lanes) {
    PlacedEntry<T> mine(T{}, 0, 0);
    if (of.k + lane < of.end) {
      auto const j = A.column[of.k + lane];
      auto const from = B.offsets[j];
      mine = {A.value[of.k + lane], from, B.offsets[j + 1] - from};
    }
    __syncwarp();
    entries[lane] = mine;
    __syncwarp();
    for (int e0 = 0; e0 < count; e0 += ahead) {
      PlacedEntry<T> entry[ahead];
      T value[ahead];
      int to[ahead];
      Place const* rest = place;
#pragma unroll
      for (int e = 0; e < ahead; ++e) {
        entry[e] = entries[e0 + e];
        if (lane < entry[e].length()) {
          to[e] = *place;
          value[e] = B.value[entry[e].first() + lane];
        }
        place += entry[e].length();
      }
#pragma unroll
      for (int e = 0; e < ahead; ++e) {
        int const length = entry[e].length();
        if (lane < length) sum[to[e]] += entry[e].factor * value[e];
        __syncwarp();
        for (int l = lane + Lanes; __any_sync(PlacedRow<Lanes>::warp, l < length); l += Lanes) {
          if (l < length) sum[rest[l - lane]] += entry[e].factor * B.value[entry[e].first() + l];
          __syncwarp();
        }
        rest += length;
      }
    }
  }
  for (int s = lane; s < of.length; s += Lanes) target[of.begin + s] = sum[s];
}

/// A thread a row; places interleaved, so that the lanes of a warp read theirs together.
template <class T>
__global__ void __launch_bounds__(PlacesLaunch::lane_rows)
    sum_placed_lane_rows_kernel(CsrView<T> A, CsrView<T> B, Offset const* offsets, T* target,
                                Offset const* first, unsigned char const* place) {
  extern __shared__ __align__(16) unsigned char memory[];
  constexpr int threads = PlacesLaunch::lane_rows, chunk = PlacesLaunch::chunk,
                ahead = 4;  // products of one entry that are read together: most have no more
  T* const sum = reinterpret_cast<T*>(memory) + threadIdx.x;
  auto const i = static_cast<Index>(blockIdx.x * threads + threadIdx.x);
  if (i >= A.rows) return;
  auto const begin = offsets[i];
  int const length = static_cast<int>(offsets[i + 1] - begin);
  place += first[i / chunk] + i % chunk;
  for (int s = 0; s < length; ++s) sum[s * threads] = T{0};
  auto const end = A.offsets[i + 1];
  for (auto k = A.offsets[i]; k < end; ++k) {
    auto const j = A.column[k];
    T const a = A.value[k];
    auto const first_of_j = B.offsets[j];
    auto const count = static_cast<int>(B.offsets[j + 1] - first_of_j);
    T const* const b = B.value.data() + first_of_j;
    T value[ahead];
    int to[ahead];
#pragma unroll
    for (int q = 0; q < ahead; ++q) {
      if (q < count) {
        value[q] = b[q];
        to[q] = place[q * chunk];
      }
    }
#pragma unroll
    for (int q = 0; q < ahead; ++q) {
      if (q < count) sum[to[q] * threads] += a * value[q];
    }
    for (int q = ahead; q < count; ++q) sum[place[q * chunk] * threads] += a * b[q];
    place += count * chunk;
  }
  for (int s = 0; s < length; ++s) target[begin + s] = sum[s * threads];
}

}  // namespace detail
}  // namespace Tessera::sparse
