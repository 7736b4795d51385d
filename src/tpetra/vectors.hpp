#pragma once
/// \file
/// The columns of a Tpetra::MultiVector as spans of host memory or, for Trilinos built with CUDA, of the
/// memory of its Kokkos device. Objects of these classes hold Kokkos views: destroy them before any access to
/// the same vector in the other memory.
#include <cstddef>
#include <type_traits>
#include <vector>

#include "core/space.hpp"
#include "core/span.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Whether Tpetra's vectors lie in the memory of a GPU.
inline constexpr bool vectors_on_device = !std::is_same_v<Node::memory_space, Kokkos::HostSpace>;

template <class Space, class Vectors, class Access>
auto view_on(Vectors& X, Access access) {
  if constexpr (std::is_same_v<Space, Host>) {
    return X.getLocalViewHost(access);
  } else {
    return X.getLocalViewDevice(access);
  }
}

/// Columns of any stride, constant or not.
template <class View, class T>
class Columns {
 public:
  std::size_t size() const { return columns_.size(); }
  Span<T> operator[](std::size_t column) const { return columns_[column]; }

 protected:
  /// Tpetra's views are LayoutLeft: a column is contiguous, columns are stride(1) apart. A view of one column
  /// may have stride(1) = 0.
  void add(View const& view) {
    views_.push_back(view);
    for (std::size_t c = 0; c < view.extent(1); ++c)
      columns_.push_back({view.data() + c * view.stride(1), view.extent(0)});
  }

 private:
  std::vector<View> views_;
  std::vector<Span<T>> columns_;
};

template <class Space>
using ReadView = decltype(view_on<Space>(std::declval<MultiVector const&>(), ::Tpetra::Access::ReadOnly));
template <class Space>
using WriteView = decltype(view_on<Space>(std::declval<MultiVector&>(), ::Tpetra::Access::ReadWrite));

/// Read access; the values are copied to the space if necessary. On a device, the constructor waits for
/// Kokkos.
template <class Space>
class ReadColumnsOn : public Columns<ReadView<Space>, double const> {
 public:
  explicit ReadColumnsOn(MultiVector const& X) {
    bool const whole = X.isConstantStride();
    for (std::size_t c = 0; c < (whole ? 1 : X.getNumVectors()); ++c)
      this->add(view_on<Space>(whole ? X : *X.getVector(c), ::Tpetra::Access::ReadOnly));
    if constexpr (!std::is_same_v<Space, Host>) Kokkos::fence();
  }
};

/// Whether a writer needs the old values.
enum class Before { kept, forgotten };

/// Write access to the vector itself. A writer on a device must wait for its work before the object is
/// destroyed.
template <class Space>
class WriteColumnsOn : public Columns<WriteView<Space>, double> {
 public:
  explicit WriteColumnsOn(MultiVector& X, Before before = Before::kept) {
    bool const whole = X.isConstantStride();
    for (std::size_t c = 0; c < (whole ? 1 : X.getNumVectors()); ++c) {
      Teuchos::RCP<MultiVector> const part =
          whole ? Teuchos::rcpFromRef(X) : Teuchos::RCP<MultiVector>(X.getVectorNonConst(c));
      this->add(before == Before::kept
                    ? view_on<Space>(*part, ::Tpetra::Access::ReadWrite)
                    : WriteView<Space>(view_on<Space>(*part, ::Tpetra::Access::OverwriteAll)));
    }
    if constexpr (!std::is_same_v<Space, Host>) Kokkos::fence();
  }
};

using ReadColumns = ReadColumnsOn<Host>;
using WriteColumns = WriteColumnsOn<Host>;

}  // namespace Tessera::tpetra
