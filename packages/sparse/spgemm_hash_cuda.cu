#include "core/cuda_check.cuh"
#include "sparse/spgemm_esc_body.hpp"
#include "sparse/spgemm_hash_cuda.cuh"
#include "sparse/spgemm_hash_cuda.hpp"

namespace Tessera::sparse::hash {
namespace {

using Small = Bin<8, 32, 128>;
using Medium = Bin<16, 64, 128>;
using Warp = Bin<32, 256, 128>;
using Block = Bin<256, 2048, 256>;
using LargeBlock = Bin<1024, 8192, 1024>;

/// Blocks for lists whose length only the device knows.
constexpr unsigned blocks_for_lists = 512;

/// Products a row up to which a bin is tried first.
constexpr double small_products = 48, medium_products = 320, warp_products = 8192;

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
  if (bytes > 48 * 1024) {
    TESSERA_CUDA_CHECK(cudaFuncSetAttribute(
        row_kernel<Bin, Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  }
  auto const needed = (static_cast<unsigned>(list.rows) + Bin::groups - 1) / Bin::groups;
  auto const blocks = list.list == nullptr ? needed : std::min(needed, blocks_for_lists);
  row_kernel<Bin><<<blocks, Bin::threads, bytes, space.stream>>>(kernel, list);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

/// Runs Kernel for all rows, beginning with the bin that the average row suits, each bin taking what was too
/// long for the one before, LastKernel what is left. No row has more than `longest` columns.
template <template <class, class> class Kernel, template <class, class> class LastKernel, class LastBin,
          class T, class... Views>
void run(Cuda const& space, Waiting& waiting, double products, Index longest, CsrView<T> A, CsrView<T> B,
         Views... views) {
  auto list = waiting.all();
  bool done = A.rows == 0;
  auto const take = [&](auto bin) {
    using Bin = decltype(bin);
    if (done) return;
    launch<Bin>(space, Kernel<Bin, T>{A, B, views...}, list);
    done = longest <= Bin::limit;
    if (!done) list = waiting.next();
  };
  if (products <= small_products) {
    take(Small{});
  } else if (products <= medium_products) {
    take(Medium{});
  }
  if (products <= warp_products) take(Warp{});
  take(Block{});
  if (!done) launch<LastBin>(space, LastKernel<LastBin, T>{A, B, views...}, list);
}

}  // namespace

template <class T>
Csr<T, Cuda> symbolic(Cuda const& space, CsrView<T> A, CsrView<T> B) {
  auto const rows = static_cast<std::size_t>(A.rows);
  Csr<T, Cuda> C{A.rows, B.columns, Array<Offset, Cuda>(space, rows + 1), {}, {}};
  auto const products = products_a_row(A, B);
  {
    Waiting waiting(space, A.rows, B.columns > Small::limit);
    run<CountKernel, CountKernel, LargeBlock>(space, waiting, products, B.columns, A, B, C.offsets.data());
    if (B.columns > LargeBlock::limit && waiting.left(space) > 0) return esc::symbolic(space, A, B);
  }
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(space, C.offsets.span().part(0, rows), C.offsets.span()));
  C.column = Array<Index, Cuda>(space, nonzeros);
  Waiting waiting(space, A.rows, B.columns > Small::limit);
  run<FillKernel, FillKernel, LargeBlock>(space, waiting, products, B.columns, A, B, C.offsets.data(),
                                          C.column.data());
  C.value = Array<T, Cuda>(space, nonzeros);
  return C;
}

template <class T>
void numeric(Cuda const& space, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& C) {
  Waiting waiting(space, A.rows, B.columns > Small::limit);
  run<SumKernel, SumLongKernel, Block>(space, waiting, products_a_row(A, B), B.columns, A, B,
                                       C.offsets.data(), C.column.data(), C.value.data());
}

template Csr<double, Cuda> symbolic(Cuda const&, CsrView<double>, CsrView<double>);
template Csr<float, Cuda> symbolic(Cuda const&, CsrView<float>, CsrView<float>);
template void numeric(Cuda const&, CsrView<double>, CsrView<double>, Csr<double, Cuda>&);
template void numeric(Cuda const&, CsrView<float>, CsrView<float>, Csr<float, Cuda>&);

}  // namespace Tessera::sparse::hash
