#include "tpetra/device_columns.hpp"

namespace Tessera::tpetra {
namespace {

/// As for the host (vectors.cpp): columns are contiguous, and stride(1) apart.
template <class View, class T>
void add_columns(View const& view, std::vector<Span<T>>& columns) {
  for (std::size_t c = 0; c < view.extent(1); ++c)
    columns.push_back({view.data() + c * view.stride(1), view.extent(0)});
}

}  // namespace

ReadDeviceColumns::ReadDeviceColumns(MultiVector const& X) {
  if (X.isConstantStride()) {
    views_.push_back(X.getLocalViewDevice(::Tpetra::Access::ReadOnly));
  } else {
    for (std::size_t c = 0; c < X.getNumVectors(); ++c)
      views_.push_back(X.getVector(c)->getLocalViewDevice(::Tpetra::Access::ReadOnly));
  }
  Kokkos::fence();
  for (auto const& view : views_) add_columns(view, columns_);
}

WriteDeviceColumns::WriteDeviceColumns(MultiVector& X) {
  if (X.isConstantStride()) {
    views_.push_back(X.getLocalViewDevice(::Tpetra::Access::OverwriteAll));
  } else {
    for (std::size_t c = 0; c < X.getNumVectors(); ++c)
      views_.push_back(X.getVectorNonConst(c)->getLocalViewDevice(::Tpetra::Access::OverwriteAll));
  }
  Kokkos::fence();
  for (auto const& view : views_) add_columns(view, columns_);
}

}  // namespace Tessera::tpetra
