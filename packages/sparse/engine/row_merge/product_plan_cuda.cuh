#pragma once
/// \file
/// Plans on CUDA, and new values with them; see product_plan.hpp.
#include <algorithm>

#include "core/kernels.cuh"
#include "core/parallel.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"
#include "sparse/engine/row_merge/scatter_sums_cuda.cuh"

namespace Tessera::sparse {
namespace detail {

/// Calls launch(lanes, rows, threads, memory, blocks) for the usual rows and for the long ones. of_entry,
/// of_lane: bytes of shared memory for an entry of C's row and for a lane. length: mean work that lanes
/// share.
template <class Launch>
void with_scatter_rows(ProductPlan<Cuda> const& plan, Index rows, double length, std::size_t of_entry,
                       std::size_t of_lane, Launch const& launch) {
  auto const take = [&](auto lanes_constant, Index count, Index const* list, int most) {
    constexpr int lanes = decltype(lanes_constant)::value;
    if (count == 0) return;
    // Neighbouring groups begin in different banks. One entry more than the row: the target of products that
    // are left out.
    int const stride = (most + 16) / 16 * 16 + lanes % 16;
    std::size_t const group = of_lane * lanes + of_entry * stride;
    int groups = ScatterLaunch::threads / lanes;
    while (groups * lanes > 32 && group * groups > ScatterLaunch::memory) groups /= 2;
    launch(lanes_constant, ScatterRows{count, list, most, stride}, groups * lanes, group * groups,
           (static_cast<unsigned>(count) + groups - 1) / groups);
  };
  auto const take_all = [&](auto lanes) {
    take(lanes, rows, nullptr, plan.usual);
    bool const small =
        32 / lanes * (of_lane * lanes + of_entry * (plan.longest + 1)) <= ScatterLaunch::memory;
    auto const count = static_cast<Index>(plan.long_rows.size());
    if (small) return take(lanes, count, plan.long_rows.data(), plan.longest);
    take(std::integral_constant<int, 32>{}, count, plan.long_rows.data(), plan.longest);
  };
  if (length <= 5) return take_all(std::integral_constant<int, 4>{});
  if (length <= 10) return take_all(std::integral_constant<int, 8>{});
  if (length <= 20) return take_all(std::integral_constant<int, 16>{});
  take_all(std::integral_constant<int, 32>{});
}

/// The kernel that sums.
template <int Lanes, class Left, class Right, class Epilogue, class ScatterIndex>
auto scatter_kernel() {
  if constexpr (Right::single) {
    return scatter_single_kernel<Lanes, Left, Right, Epilogue, ScatterIndex>;
  } else {
    return scatter_sum_kernel<Lanes, Left, Right, Epilogue, ScatterIndex>;
  }
}

struct LengthOfRow {
  Offset const* offsets;
  TESSERA_HD Offset operator()(Index i) const { return offsets[i + 1] - offsets[i]; }
};

struct LongRow {
  Offset const* offsets;
  Offset usual;
  TESSERA_HD bool operator()(Index i) const { return offsets[i + 1] - offsets[i] > usual; }
};

/// Number of scatter indices of each row.
template <class Left, class Right>
struct ScatterLengthBody {
  Left A;
  CountProductsBody<Left, Right> count;
  Offset* scatter_lengths;
  TESSERA_HD void operator()(Index i) const {
    if (!Right::single) return count(i);
    auto const row = A.row(i);
    scatter_lengths[i] = row.end - row.begin;
  }
};

/// Slots of a chunk of rows, in which all rows have room for the most products that one has.
struct ChunkScatterBody {
  Offset const* products;
  Index rows;
  int chunk;
  Offset* count;
  TESSERA_HD void operator()(Index c) const {
    Offset widest = 0;
    for (Index i = c * chunk; i < (c + 1) * chunk && i < rows; ++i)
      widest = products[i] > widest ? products[i] : widest;
    count[c] = widest * chunk;
  }
};

/// Mean work that the lanes of a group share.
template <class Left, class Right>
double shared_length(Left const& A, Right const& B) {
  if (!Right::single) return B.row_length();
  return A.rows() == 0 ? 0.0 : static_cast<double>(A.entries()) / A.rows();
}

/// Whether a thread takes a row: for many rows of few products (level 0 of Laplace3D 256^3: 2.5 ms, by groups
/// 2.5 to 3.3).
template <class Left, class Right>
bool by_lane_rows(ProductPlan<Cuda> const& plan, Left const& A, Right const& B) {
  constexpr Index many = 1 << 17;
  constexpr int longest = 40;
  if (A.rows() < many || plan.longest > longest) return false;
  auto const row_of_A = static_cast<double>(A.entries()) / A.rows();
  return Right::single ? row_of_A <= 64 : row_of_A <= 10 && B.row_length() <= 6;
}

}  // namespace detail

/// The plan for a pattern C, whose columns ascend by the epilogue's keys.
template <class Left, class Right, class Epilogue>
ProductPlan<Cuda> plan_of(Cuda const& space, Left const& A, Right const& B, Epilogue const& epilogue,
                          CsrView<double> C) {
  ProductPlan<Cuda> plan;
  auto const rows = static_cast<std::size_t>(A.rows());
  auto const longest =
      core::reduce(space, rows, detail::LengthOfRow{C.offsets.data()}, core::Max{}, Offset{0});
  if (longest > detail::ScatterLaunch::most) return plan;
  auto const twice = rows == 0 ? Offset{0} : static_cast<Offset>(2 * C.column.size() / rows);
  auto const usual = std::min(longest, std::max<Offset>(8, twice));
  plan.found = true;
  plan.entries = C.column.size();
  plan.longest = static_cast<int>(longest);
  plan.usual = static_cast<int>(usual);
  if (longest > usual) {
    Array<Index, Cuda> found(space, rows);
    auto const count = core::select(space, rows, detail::LongRow{C.offsets.data(), usual}, found.span());
    plan.long_rows = core::copied(space, found.view().part(0, count), space);
  }
  plan.chunk = detail::by_lane_rows(plan, A, B) ? detail::ScatterLaunch::chunk : 1;
  auto const chunks = (rows + plan.chunk - 1) / plan.chunk;
  plan.first = Array<Offset, Cuda>(space, chunks + 1);
  Array<Offset, Cuda> products(space, rows);
  core::for_each(space, rows,
                 detail::ScatterLengthBody<Left, Right>{A, {A, B, products.data()}, products.data()});
  core::for_each(space, chunks,
                 detail::ChunkScatterBody{products.data(), A.rows(), plan.chunk, plan.first.data()});
  auto const room = static_cast<std::size_t>(
      core::exclusive_scan(space, plan.first.span().part(0, chunks), plan.first.span()));
  auto const find = [&](auto& array) {
    using ScatterIndex = std::remove_reference_t<decltype(*array.data())>;
    array = Array<ScatterIndex, Cuda>(space, room);
    detail::with_scatter_rows(
        plan, A.rows(), detail::shared_length(A, B), sizeof(Index), 0,
        [&](auto lanes, detail::ScatterRows const& list, int threads, std::size_t memory, unsigned blocks) {
          auto const kernel =
              detail::find_scatter_kernel<decltype(lanes)::value, Left, Right, Epilogue, ScatterIndex>;
          core::allow_shared_memory(kernel, memory);
          kernel<<<blocks, threads, memory, space.stream>>>(A, B, epilogue, C, plan.first.data(),
                                                            array.data(), plan.chunk, list);
          TESSERA_CUDA_CHECK(cudaGetLastError());
        });
  };
  if (longest < 256) {
    find(plan.narrow);
  } else {
    find(plan.wide);
  }
  return plan;
}

/// The values of C from those of A and B. Columns of B are not read; columns of C only if the epilogue is not
/// plain.
template <class Left, class Right, class Epilogue>
void sum_by_scatter(Cuda const& space, Left const& A, Right const& B, Epilogue const& epilogue,
                    ProductPlan<Cuda> const& plan, Offset const* offsets, Index const* column,
                    double* value) {
  if (A.rows() == 0) return;
  if (plan.chunk > 1) {
    constexpr int threads = detail::ScatterLaunch::lane_rows;
    auto const memory = sizeof(double) * threads * (plan.longest + 1);
    detail::scatter_lane_rows_kernel<<<(static_cast<unsigned>(A.rows()) + threads - 1) / threads, threads,
                                       memory, space.stream>>>(A, B, epilogue, offsets, column, value,
                                                               plan.first.data(), plan.narrow.data());
    TESSERA_CUDA_CHECK(cudaGetLastError());
    return;
  }
  auto const sum = [&](auto const& array) {
    using ScatterIndex = std::remove_const_t<std::remove_reference_t<decltype(*array.data())>>;
    detail::with_scatter_rows(
        plan, A.rows(), detail::shared_length(A, B), sizeof(double),
        Right::single ? 0 : sizeof(detail::ScatterEntry),
        [&](auto lanes, detail::ScatterRows const& list, int threads, std::size_t memory, unsigned blocks) {
          constexpr int width = decltype(lanes)::value;
          auto const kernel = detail::scatter_kernel<width, Left, Right, Epilogue, ScatterIndex>();
          core::allow_shared_memory(kernel, memory);
          kernel<<<blocks, threads, memory, space.stream>>>(A, B, epilogue, offsets, column, value,
                                                            plan.first.data(), array.data(), list);
          TESSERA_CUDA_CHECK(cudaGetLastError());
        });
  };
  if (plan.wide.empty()) {
    sum(plan.narrow);
  } else {
    sum(plan.wide);
  }
}

}  // namespace Tessera::sparse
