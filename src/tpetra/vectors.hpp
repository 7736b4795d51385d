#pragma once
/// \file
/// The columns of a Tpetra::MultiVector as spans of host memory. Objects of these classes hold Kokkos views:
/// let them end before anybody asks for the device's side of the same vector.
#include <cstddef>
#include <vector>

#include "core/span.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Reads: the values as they are, brought to the host where needed. Any stride, constant or not.
class ReadColumns {
 public:
  explicit ReadColumns(MultiVector const& X);
  std::size_t size() const { return columns_.size(); }
  Span<double const> operator[](std::size_t column) const { return columns_[column]; }

 private:
  using View = decltype(std::declval<MultiVector const&>().getLocalViewHost(::Tpetra::Access::ReadOnly));
  std::vector<View> views_;
  std::vector<Span<double const>> columns_;
};

/// Whether a writer wants to see what was there.
enum class Before { kept, forgotten };

/// Writes: changes go to the vector.
class WriteColumns {
 public:
  explicit WriteColumns(MultiVector& X, Before before = Before::kept);
  std::size_t size() const { return columns_.size(); }
  Span<double> operator[](std::size_t column) const { return columns_[column]; }

 private:
  using View = decltype(std::declval<MultiVector&>().getLocalViewHost(::Tpetra::Access::ReadWrite));
  std::vector<View> views_;
  std::vector<Span<double>> columns_;
};

}  // namespace Tessera::tpetra
