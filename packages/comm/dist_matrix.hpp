#pragma once
/// \file
/// Distributed matrices as cycles use them: rounded to the type of the cycle and stored for multiplication.
/// Products that are fused with what follows them are in fused_product.hpp.
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

/// A matrix or a transpose as it is stored: rows in two sets, and room for what travels.
template <class T, class Space>
class DistStorage {
 public:
  HaloPlan<Space> const& halo() const { return halo_; }
  SplitRows<T, Space> const& stored() const { return stored_; }
  Span<T> ghosts() const { return {ghosts_ ? ghosts_->data() : nullptr, ghosts_ ? ghosts_->size() : 0}; }
  /// Those of a vector (X = T), or of a block whose columns reserve_columns() was told of.
  template <class X>
  Span<X> ghosts_of() const;
  /// Room for the ghosts of blocks of up to so many columns; that of vectors stays where it is, since
  /// recorded work knows it.
  void reserve_columns(Space const& space, int columns) const;
  /// Whether all rows are in the second set, since the exchange is one launch.
  bool at_once() const { return at_once_; }
  char const* format() const { return stored_.format(); }
  /// That of all ranks with rows; where they differ, how many have each. Collective.
  std::string formats() const;
  /// On this rank, without the halo plan, which is shared with the matrix that it was made from.
  std::size_t bytes() const {
    return stored_.bytes() + (ghosts().size() + (block_ghosts_ ? block_ghosts_->size() : 0)) * sizeof(T);
  }
  /// That a product reads of the matrix.
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
  bool at_once_ = false;
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

/// A for y = A x and everything that is one pass over A. Rows without a ghost column (the first set) are
/// worked on while the ghosts travel; where that is one launch, all are in the second.
template <class T, class Space>
class DistMatrix : public DistStorage<T, Space> {
 public:
  DistMatrix() = default;
  DistMatrix(Space const& space, DistCsr<double, Space> const& A, StorageParameters const& parameters = {});

  /// New values on the same pattern; allocates nothing.
  void refresh(Space const& space, DistCsr<double, Space> const& A);
};

/// y = A x, owned entries of a vector (X = T) or of a block (X = core::Interleaved<T, k>, k 4 or 8, after
/// reserve_columns()). Bits of a column are those of a vector. Collective among neighbours; allocates
/// nothing.
template <class T, class Space, class X>
void multiply(Space const& space, DistMatrix<T, Space> const& A, Span<X const> x, Span<X> y);

/// P^T for restrictions. Partial sums for coarse rows of other ranks (the first set) are sent to them while
/// this rank works on its own; where that is one launch, all are in the second.
template <class T, class Space>
class DistTranspose : public DistStorage<T, Space> {
 public:
  DistTranspose() = default;
  /// transposed: P.local^T, rows numbered as P's local columns.
  DistTranspose(Space const& space, DistCsr<double, Space> const& P,
                sparse::Transposed<double, Space> const& transposed,
                StorageParameters const& parameters = {});

  /// New values on the same pattern; allocates nothing.
  void refresh(Space const& space, sparse::Transposed<double, Space> const& transposed);
};

/// r_coarse = P^T r; what other ranks add comes behind the own sum, by ascending rank. Owned entries.
/// A vector or a block, as multiply() takes them. Collective among neighbours; allocates nothing.
template <class T, class Space, class X>
void multiply_transposed(Space const& space, DistTranspose<T, Space> const& R, Span<X const> r,
                         Span<X> r_coarse);

}  // namespace Tessera::comm
