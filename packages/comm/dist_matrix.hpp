#pragma once
/// \file
/// Distributed matrices of the cycle: rounded to the cycle's type, in the formats of products.
/// fused_product.hpp fuses products with operations on their result.
#include <memory>
#include <string>
#include <type_traits>

#include "comm/dist_csr.hpp"
#include "core/error.hpp"
#include "core/interleaved.hpp"
#include "sparse/formats/formats.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::comm {

using sparse::MatrixFormat;
using sparse::RowSet;
using sparse::SplitRows;
using sparse::StorageParameters;

/// A stored matrix or transpose: its rows in two sets, and buffers for ghosts.
template <class T, class Space>
class DistStorage {
 public:
  HaloPlan<Space> const& halo() const { return halo_; }
  SplitRows<T, Space> const& stored() const { return stored_; }
  Span<T> ghosts() const { return {ghosts_ ? ghosts_->data() : nullptr, ghosts_ ? ghosts_->size() : 0}; }
  /// Ghosts of a vector (X = T), or of a block of at most as many columns as reserve_columns() had.
  template <class X>
  Span<X> ghosts_of() const;
  /// Allocates ghosts for blocks of up to `columns` columns. The ghosts of vectors keep their address,
  /// because recorded work refers to it.
  void reserve_columns(Space const& space, int columns) const;
  /// Whether all rows are in the second set, because the exchange is one launch.
  bool one_launch() const { return one_launch_; }
  char const* format() const { return stored_.format(); }
  /// The format on all ranks with rows; if formats differ, with the number of ranks of each. Collective.
  std::string formats() const;
  /// Memory of this rank in bytes, without the halo plan, which the source matrix shares.
  std::size_t bytes() const {
    return stored_.bytes() + (ghosts().size() + (block_ghosts_ ? block_ghosts_->size() : 0)) * sizeof(T);
  }
  /// Bytes of the matrix that a product reads.
  std::size_t product_bytes() const { return stored_.product_bytes(); }

 protected:
  DistStorage() = default;
  DistStorage(Space const& space, HaloPlan<Space> const& halo)
      : halo_(halo),
        ghosts_(std::make_shared<Array<T, Space>>(space, halo.ghost_count())),
        block_ghosts_(std::make_shared<Array<T, Space>>()) {}

  HaloPlan<Space> halo_;
  SplitRows<T, Space> stored_;
  std::shared_ptr<Array<T, Space>> ghosts_, block_ghosts_;
  bool one_launch_ = false;
};

template <class T, class Space>
template <class X>
Span<X> DistStorage<T, Space>::ghosts_of() const {
  if constexpr (std::is_same_v<X, T>) {
    return ghosts();
  } else {
    TESSERA_EXPECT(ghosts().size() * core::columns_of<X> <= block_ghosts_->size());
    return core::rows_of_block<X>(block_ghosts_->span(), ghosts().size());
  }
}

/// A for y = A x and other operations in one pass over A. Products compute rows without ghost columns (the
/// first set) during the exchange; if the exchange is one launch, all rows are in the second set.
template <class T, class Space>
class DistMatrix : public DistStorage<T, Space> {
 public:
  DistMatrix() = default;
  DistMatrix(Space const& space, DistCsr<double, Space> const& A, StorageParameters const& parameters = {});

  /// New values on the same pattern; allocates nothing.
  void refresh(Space const& space, DistCsr<double, Space> const& A) {
    this->stored_.refresh(space, A.local.view());
  }
};

/// y = A x on owned entries of a vector (X = T), or of a block (X = core::Interleaved<T, k>, k = 4 or 8,
/// after reserve_columns()). Each column has bitwise the result of a vector. Collective among neighbours;
/// allocates nothing.
template <class T, class Space, class X>
void multiply(Space const& space, DistMatrix<T, Space> const& A, Span<X const> x, Span<X> y);

/// P^T for restrictions. Partial sums for ghost coarse rows (the first set) travel to their owners while this
/// rank computes its own rows; if the exchange is one launch, all rows are in the second set.
template <class T, class Space>
class DistTranspose : public DistStorage<T, Space> {
 public:
  DistTranspose() = default;
  /// transposed: P.local^T; its rows are P's local columns.
  DistTranspose(Space const& space, DistCsr<double, Space> const& P,
                sparse::Transposed<double, Space> const& transposed,
                StorageParameters const& parameters = {});

  /// New values on the same pattern; allocates nothing.
  void refresh(Space const& space, sparse::Transposed<double, Space> const& transposed) {
    this->stored_.refresh(space, transposed.matrix.view());
  }
};

/// r_coarse = P^T r on owned entries. Contributions of other ranks are added after the rank's own sum, by
/// ascending rank. Vector or block as in multiply(). Collective among neighbours; allocates nothing.
template <class T, class Space, class X>
void multiply_transposed(Space const& space, DistTranspose<T, Space> const& R, Span<X const> r,
                         Span<X> r_coarse);

}  // namespace Tessera::comm
