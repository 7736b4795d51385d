#include "core/cuda_check.cuh"
#include "core/outside_runs.hpp"
#include "core/shared_memory.cuh"
#include "sparse/entry_places_cuda.cuh"
#include "sparse/spgemm_esc_body.hpp"
#include "sparse/spgemm_hash_cuda.hpp"
#include "sparse/spgemm_lane_rows_cuda.cuh"

namespace Tessera::sparse::hash {
namespace {

using Medium = Bin<32, 128, 128>;
using Warp = Bin<32, 256, 128>;
using Block = Bin<256, 2048, 256>;
using LargeBlock = Bin<1024, 8192, 1024>;

/// Blocks for lists whose length only the device knows.
constexpr unsigned blocks_for_lists = 512;

/// Products a row up to which a bin is tried first; lanes only where rows are many.
constexpr double lane_products = 125, medium_products = 400, warp_products = 16384;
constexpr Index lane_rows = 1 << 17;

template <class T>
double products_a_row(CsrView<T> A, CsrView<T> B) {
  if (A.rows == 0 || B.rows == 0) return 0;
  return static_cast<double>(A.column.size()) / A.rows * (static_cast<double>(B.column.size()) / B.rows);
}

/// Rows that wait for the next bin: two lists by turns, and a length for each bin.
class Waiting {
 public:
  Waiting(Cuda const& space, Index rows, bool needed)
      : rows_(rows), first_(space, needed ? rows : 0), second_(space, needed ? rows : 0), counts_(space, 6) {
    core::fill(space, counts_.span(), 0);
  }
  RowList all() { return {rows_, nullptr, nullptr, first_.data(), counts_.data()}; }
  /// Those that the bin before left.
  RowList next() {
    ++bin_;
    Index *const from = bin_ % 2 == 1 ? first_.data() : second_.data(), *const to = bin_ % 2 == 1
                                                                                        ? second_.data()
                                                                                        : first_.data();
    return {rows_, from, counts_.data() + bin_ - 1, to, counts_.data() + bin_};
  }
  /// How many no bin could take. Synchronises.
  Index left(Cuda const& space) const {
    return core::to_vector(space, counts_.view().part(static_cast<std::size_t>(bin_), 1))[0];
  }

 private:
  Index rows_;
  int bin_ = 0;
  Array<Index, Cuda> first_, second_, counts_;
};

template <class Bin, class Kernel>
void launch(Cuda const& space, Kernel const& kernel, RowList const& list) {
  constexpr std::size_t bytes = sizeof(typename Kernel::Shared) * Bin::groups;
  if (bytes > 48 * 1024) core::allow_shared_memory(row_kernel<Bin, Kernel>, bytes);
  auto const needed = (static_cast<unsigned>(list.rows) + Bin::groups - 1) / Bin::groups;
  auto const blocks = list.list == nullptr ? needed : std::min(needed, blocks_for_lists);
  row_kernel<Bin><<<blocks, Bin::threads, bytes, space.stream>>>(kernel, list);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

template <class Kernel>
void launch_lanes(Cuda const& space, Kernel const& kernel, RowList const& list) {
  lane_rows_kernel<<<(static_cast<unsigned>(list.rows) + LaneRows::threads - 1) / LaneRows::threads,
                     LaneRows::threads, 0, space.stream>>>(kernel, list);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

/// Lets the bins take rows one after the other, beginning with `first`, each what was too long for the one
/// before, and LastKernel what is left. first(list) returns how many columns its rows may have at most. No
/// row has more than `longest`.
template <template <class, class> class Kernel, template <class, class> class LastKernel, class LastBin,
          class First, class T, class... Views>
void run(Cuda const& space, Waiting& waiting, Index longest, First const& first, CsrView<T> A, CsrView<T> B,
         Views... views) {
  if (A.rows == 0) return;
  auto list = waiting.all();
  int const taken = first(list);
  bool done = longest <= taken;
  if (taken > 0 && !done) list = waiting.next();
  auto const take = [&](auto bin) {
    using Bin = decltype(bin);
    if (done || Bin::limit <= taken) return;
    launch<Bin>(space, Kernel<Bin, T>{A, B, views...}, list);
    done = longest <= Bin::limit;
    if (!done) list = waiting.next();
  };
  if (products_a_row(A, B) <= warp_products) take(Warp{});
  take(Block{});
  if (!done) launch<LastBin>(space, LastKernel<LastBin, T>{A, B, views...}, list);
}

/// The first bins: lanes or groups of a warp where rows are short.
template <template <class> class LaneKernel, template <class, class> class Kernel, class T, class... Views>
int take_short_rows(Cuda const& space, RowList const& list, CsrView<T> A, CsrView<T> B, Views... views) {
  auto const products = products_a_row(A, B);
  if (products <= lane_products && A.rows >= lane_rows) {
    launch_lanes(space, LaneKernel<T>{A, B, views...}, list);
    return LaneRows::limit;
  }
  if (products > medium_products) return 0;
  launch<Medium>(space, Kernel<Medium, T>{A, B, views...}, list);
  return Medium::limit;
}

/// Offsets of A B in its first member; false when it has rows that no table holds.
template <class T>
bool count_columns(Cuda const& space, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& C) {
  auto const rows = static_cast<std::size_t>(A.rows);
  C = {A.rows, B.columns, Array<Offset, Cuda>(space, rows + 1), {}, {}};
  {
    Waiting waiting(space, A.rows, B.columns > LaneRows::limit);
    auto const first = [&](RowList const& list) {
      return take_short_rows<CountLaneRows, CountKernel>(space, list, A, B, C.offsets.data());
    };
    run<CountKernel, CountKernel, LargeBlock>(space, waiting, B.columns, first, A, B, C.offsets.data());
    if (B.columns > LargeBlock::limit && waiting.left(space) > 0) return false;
  }
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(space, C.offsets.span().part(0, rows), C.offsets.span()));
  C.column = Array<Index, Cuda>(space, nonzeros);
  C.value = Array<T, Cuda>(space, nonzeros);
  return true;
}

}  // namespace

template <class T>
Csr<T, Cuda> symbolic(Cuda const& space, CsrView<T> A, CsrView<T> B) {
  Csr<T, Cuda> C;
  if (!count_columns(space, A, B, C)) return esc::symbolic(space, A, B);
  Waiting waiting(space, A.rows, B.columns > LaneRows::limit);
  auto const first = [&](RowList const& list) {
    if (products_a_row(A, B) > medium_products) return 0;
    launch<Medium>(space, FillKernel<Medium, T>{A, B, C.offsets.data(), C.column.data()}, list);
    return Medium::limit;
  };
  run<FillKernel, FillKernel, LargeBlock>(space, waiting, B.columns, first, A, B, C.offsets.data(),
                                          C.column.data());
  return C;
}

template <class T>
void numeric(Cuda const& space, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& C) {
  Waiting waiting(space, A.rows, B.columns > LaneRows::limit);
  auto const first = [&](RowList const& list) {
    if (products_a_row(A, B) > medium_products) return 0;
    launch<Medium>(space, SumKernel<Medium, T>{A, B, C.offsets.data(), C.column.data(), C.value.data()},
                   list);
    return Medium::limit;
  };
  run<SumKernel, SumLongKernel, Block>(space, waiting, B.columns, first, A, B, C.offsets.data(),
                                       C.column.data(), C.value.data());
}

namespace {

/// Columns and values of A B, whose offsets are known.
template <class T>
void fill_product(Cuda const& space, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& C) {
  Waiting waiting(space, A.rows, B.columns > LaneRows::limit);
  auto const first = [&](RowList const& list) {
    return take_short_rows<MultiplyLaneRows, MultiplyKernel>(space, list, A, B, C.offsets.data(),
                                                             C.column.data(), C.value.data());
  };
  run<MultiplyKernel, MultiplyKernel, LargeBlock>(space, waiting, B.columns, first, A, B, C.offsets.data(),
                                                  C.column.data(), C.value.data());
}

/// The same with the columns of a row in any order, which helps where rows are many and short.
template <class T>
void fill_unsorted(Cuda const& space, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& C) {
  using Lanes = MultiplyUnsortedLaneRows<T>;
  if (products_a_row(A, B) > lane_products || A.rows < lane_rows || B.columns > Lanes::most_columns ||
      static_cast<double>(C.column.size()) > 0.75 * Lanes::limit * A.rows)
    return fill_product(space, A, B, C);
  Waiting waiting(space, A.rows, B.columns > Lanes::limit);
  auto const first = [&](RowList const& list) {
    launch_lanes(space, Lanes{A, B, C.offsets.data(), C.column.data(), C.value.data()}, list);
    return Lanes::limit;
  };
  run<MultiplyKernel, MultiplyKernel, LargeBlock>(space, waiting, B.columns, first, A, B, C.offsets.data(),
                                                  C.column.data(), C.value.data());
}

/// C = A B, with columns in order where `sorted`; whether tables could hold all rows.
template <class T>
bool multiplied(Cuda const& space, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& C, bool sorted) {
  bool const hashed = count_columns(space, A, B, C);
  if (hashed && sorted) {
    fill_product(space, A, B, C);
  } else if (hashed) {
    fill_unsorted(space, A, B, C);
  } else {
    C = esc::symbolic(space, A, B);
    numeric(space, A, B, C);
  }
  return hashed;
}

}  // namespace

template <class T>
Csr<T, Cuda> product(Cuda const& space, CsrView<T> A, CsrView<T> B) {
  Csr<T, Cuda> C;
  multiplied(space, A, B, C, true);
  return C;
}

namespace {

/// What refreshes need, AB's columns in order; no places where rows are too long for them.
template <class T>
ChainPlan<T, Cuda> plan_of(Cuda const& space, CsrView<T> R, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& AB,
                           CsrView<T> C) {
  ChainPlan<T, Cuda> plan;
  plan.decided = true;
  auto inner = places_of(space, A, B, AB.view());
  if (inner.empty()) return plan;
  plan.outer_places = places_of(space, R, AB.view(), C);
  if (plan.outer_places.empty()) return plan;
  plan.inner_places = std::move(inner);
  plan.inner.offsets = std::move(AB.offsets);
  return plan;
}

}  // namespace

template <class T>
ChainProduct<T, Cuda> chain(Cuda const& space, CsrView<T> /*P*/, Transposed<T, Cuda> const& R, CsrView<T> A,
                            CsrView<T> B, RefreshPreparation preparation) {
  bool const plans = preparation == RefreshPreparation::all;
  auto const matrix = R.matrix.view();
  Csr<T, Cuda> AB;
  multiplied(space, A, B, AB, plans);
  ChainProduct<T, Cuda> result{product(space, matrix, AB.view()), {}};
  if (plans) result.plan = plan_of(space, matrix, A, B, AB, result.product.view());
  return result;
}

template <class T>
void refresh_chain(Cuda const& space, CsrView<T> R, CsrView<T> A, CsrView<T> B, ChainPlan<T, Cuda>& plan,
                   Csr<T, Cuda>& C) {
  if (!plan.decided) {
    core::OutsideRuns<Cuda> const outside(space);
    auto AB = product(space, A, B);
    plan = plan_of(space, R, A, B, AB, C.view());
  }
  if (plan.outer_places.empty()) return numeric(space, R, product(space, A, B).view(), C);
  auto const& inner = plan.inner;
  Array<T, Cuda> value(space, plan.inner_places.entries);
  sum_placed(space, A, B, plan.inner_places, inner.offsets.data(), value.data());
  sum_placed(space, R, {A.rows, B.columns, inner.offsets.view(), {}, value.view()}, plan.outer_places,
             C.offsets.data(), C.value.data());
}

#define TESSERA_INSTANTIATE(T)                                                                          \
  template Csr<T, Cuda> symbolic(Cuda const&, CsrView<T>, CsrView<T>);                                  \
  template void numeric(Cuda const&, CsrView<T>, CsrView<T>, Csr<T, Cuda>&);                            \
  template Csr<T, Cuda> product(Cuda const&, CsrView<T>, CsrView<T>);                                   \
  template ChainProduct<T, Cuda> chain(Cuda const&, CsrView<T>, Transposed<T, Cuda> const&, CsrView<T>, \
                                       CsrView<T>, RefreshPreparation);                                 \
  template void refresh_chain(Cuda const&, CsrView<T>, CsrView<T>, CsrView<T>, ChainPlan<T, Cuda>&,     \
                              Csr<T, Cuda>&);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse::hash
