#pragma once
/// \file
/// Dense systems on CUDA: rows are sorted by size, and each range of sizes has its kernel. The host reads one
/// result from the device: the number of rows of each size.
#include <algorithm>

#include "core/counting_sort.hpp"
#include "core/cuda_check.cuh"
#include "core/kernels.cuh"
#include "fsai/batch/block_systems_cuda.cuh"
#include "fsai/batch/dense_systems.hpp"
#include "fsai/batch/small_systems_cuda.cuh"

namespace Tessera::fsai {
namespace detail {

/// Sizes 4 c + 1 to 4 c + 4 are of class c; -1: rows that are not active.
struct SizeClass {
  static constexpr int count = largest_row / 4;
  PatternView pattern;
  Span<unsigned char const> active;
  TESSERA_HD Index operator()(Index r) const {
    return active.empty() || active[r] != 0 ? (pattern.size(r) - 1) / 4 : -1;
  }
};

/// Launches the kernels, each for rows of at most a given size.
struct SystemsLaunch {
  static constexpr int largest_shared = 224;
  /// Largest size of each range.
  static constexpr int ends[] = {8,   16,  24,         32, 48, 64, 96, 128, 160, 192, largest_shared,
                                 384, 512, largest_row};
  Cuda space;
  int width;  ///< lanes that read a row of A
  std::size_t workspace;

  /// Returns the device memory in bytes of systems that do not fit into shared memory.
  std::size_t operator()(RowTask const& task, int size) const {
    std::size_t bytes = 0;
    if (task.count == 0) return bytes;
    switch (size) {
      case 8:
        small<SmallSystem<4, 2>>(task);
        break;
      case 16:
        small<SmallSystem<4, 4>>(task);
        break;
      case 24:
        warp<3>(task);
        break;
      case 32:
        warp<4>(task);
        break;
      case 48:
        warp<6>(task);
        break;
      case 64:
        warp<8>(task);
        break;
      default:
        bytes = size <= largest_shared ? block(task, {size / tile}) : large(task, {size / tile});
    }
    TESSERA_CUDA_CHECK(cudaGetLastError());
    return bytes;
  }

 private:
  template <class System>
  void small(RowTask const& task) const {
    constexpr int warps = System::Shape::warps, systems = warps * System::Shape::systems;
    small_rows_kernel<System>
        <<<(task.count + systems - 1) / systems, 32 * warps, 0, space.stream>>>(task, width);
  }
  template <int Tiles>
  void warp(RowTask const& task) const {
    warp_rows_kernel<Tiles><<<task.count, 32, BlockLayout{Tiles}.bytes(), space.stream>>>(task, width);
  }
  std::size_t block(RowTask const& task, BlockLayout layout) const {
    core::allow_shared_memory(block_rows_kernel, layout.bytes());
    block_rows_kernel<<<task.count, layout.threads(), layout.bytes(), space.stream>>>(task, width);
    return 0;
  }
  std::size_t large(RowTask const& task, BlockLayout layout) const {
    constexpr std::size_t resident_blocks = 264;
    auto const stride = static_cast<std::size_t>(layout.doubles());
    auto const fit = std::max<std::size_t>(workspace / (stride * sizeof(double)), 1);
    auto const blocks = std::min({fit, resident_blocks, static_cast<std::size_t>(task.count)});
    Array<double, Cuda> matrices(space, blocks * stride);
    large_rows_kernel<<<static_cast<unsigned>(blocks), large_threads, layout.bytes_without_matrix(),
                        space.stream>>>(task, width, matrices.data(), stride);
    return matrices.bytes();
  }
};

}  // namespace detail

template <>
struct DenseSystems<Cuda> {
  static std::size_t run(Cuda const& space, LowerRows const& rows, PatternView pattern,
                         Span<unsigned char const> active, Span<double> value, std::size_t workspace,
                         Span<unsigned char> failed) {
    std::size_t bytes = 0;
    if (pattern.rows == 0) return bytes;
    Array<Index, Cuda> offsets(space, detail::SizeClass::count + 1);
    auto const list =
        core::counting_sort(space, pattern.rows, detail::SizeClass{pattern, active}, offsets.span());
    auto const first = core::to_vector(space, offsets.view());
    auto const average = static_cast<double>(rows.A.column.size()) / rows.A.rows;
    detail::SystemsLaunch const launch{space, average <= 12 ? 8 : average <= 24 ? 16 : 32, workspace};
    int from = 0;
    for (int const size : detail::SystemsLaunch::ends) {
      int const to = size / 4;
      bytes = std::max(bytes, launch({rows.A, pattern, list.data() + first[from], first[to] - first[from],
                                      value.data(), failed.data()},
                                     size));
      from = to;
    }
    return bytes;
  }
};

}  // namespace Tessera::fsai
