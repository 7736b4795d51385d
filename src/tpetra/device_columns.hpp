#pragma once
/// \file
/// The columns of a Tpetra::MultiVector as spans of the memory of its Kokkos device, for Trilinos built with
/// CUDA. The rules of tpetra/vectors.hpp hold, with host and device exchanged.
#include <type_traits>
#include <vector>

#include "core/span.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Whether that is the memory of a GPU.
inline constexpr bool vectors_on_device = !std::is_same_v<Node::memory_space, Kokkos::HostSpace>;

/// Reads. What Kokkos was doing is done.
class ReadDeviceColumns {
 public:
  explicit ReadDeviceColumns(MultiVector const& X);
  std::size_t size() const { return columns_.size(); }
  Span<double const> operator[](std::size_t column) const { return columns_[column]; }

 private:
  using View = decltype(std::declval<MultiVector const&>().getLocalViewDevice(::Tpetra::Access::ReadOnly));
  std::vector<View> views_;
  std::vector<Span<double const>> columns_;
};

/// Overwrites all. The writer waits for its work before the object ends.
class WriteDeviceColumns {
 public:
  explicit WriteDeviceColumns(MultiVector& X);
  std::size_t size() const { return columns_.size(); }
  Span<double> operator[](std::size_t column) const { return columns_[column]; }

 private:
  using View = decltype(std::declval<MultiVector&>().getLocalViewDevice(::Tpetra::Access::OverwriteAll));
  std::vector<View> views_;
  std::vector<Span<double>> columns_;
};

}  // namespace Tessera::tpetra
