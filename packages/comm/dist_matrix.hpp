#pragma once
/// \file
/// Distributed matrices as cycles use them: rounded to the type of the cycle and stored for multiplication.
/// Products that are fused with what follows them are in dist_matrix_body.hpp.
#include "comm/dist_csr.hpp"
#include "comm/split_rows.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::comm {

/// A for y = A x and everything that is one pass over A. Rows without a ghost column are worked on while the
/// ghosts travel.
template <class T, class Space>
class DistMatrix {
 public:
  DistMatrix() = default;
  DistMatrix(Space const& space, DistCsr<double, Space> const& A, StorageParameters const& parameters = {});

  /// New values on the same pattern; allocates nothing.
  void refresh(Space const& space, DistCsr<double, Space> const& A);

  HaloPlan<Space> const& halo() const { return halo_; }
  SplitRows<T, Space> const& stored() const { return stored_; }
  Span<T> ghosts() const { return {ghosts_ ? ghosts_->data() : nullptr, ghosts_ ? ghosts_->size() : 0}; }
  char const* format() const { return stored_.format(); }
  /// On this rank, without the halo plan, which is shared with A.
  std::size_t bytes() const;
  std::size_t product_bytes() const;  ///< that a product reads of the matrix

 private:
  HaloPlan<Space> halo_;
  SplitRows<T, Space> stored_;  ///< first: interior rows, second: boundary rows
  std::shared_ptr<Array<T, Space>> ghosts_;
};

/// y = A x, owned entries. Collective among neighbours; allocates nothing.
template <class T, class Space>
void multiply(Space const& space, DistMatrix<T, Space> const& A, Span<T const> x, Span<T> y);

/// P^T for restrictions. Partial sums for coarse rows of other ranks are sent to them while this rank works
/// on its own.
template <class T, class Space>
class DistTranspose {
 public:
  DistTranspose() = default;
  /// transposed: P.local^T, rows numbered as P's local columns.
  DistTranspose(Space const& space, DistCsr<double, Space> const& P,
                sparse::Transposed<double, Space> const& transposed,
                StorageParameters const& parameters = {});

  /// New values on the same pattern; allocates nothing.
  void refresh(Space const& space, sparse::Transposed<double, Space> const& transposed);

  HaloPlan<Space> const& halo() const { return halo_; }
  SplitRows<T, Space> const& stored() const { return stored_; }
  Span<T> ghosts() const { return {ghosts_ ? ghosts_->data() : nullptr, ghosts_ ? ghosts_->size() : 0}; }
  char const* format() const { return stored_.format(); }
  std::size_t bytes() const;
  std::size_t product_bytes() const;  ///< that a product reads of the matrix

 private:
  HaloPlan<Space> halo_;
  SplitRows<T, Space> stored_;  ///< first: rows of other ranks, second: own rows
  std::shared_ptr<Array<T, Space>> ghosts_;
};

/// r_coarse = P^T r; what other ranks add comes behind the own sum, by ascending rank. Owned entries.
/// Collective among neighbours; allocates nothing.
template <class T, class Space>
void multiply_transposed(Space const& space, DistTranspose<T, Space> const& R, Span<T const> r,
                         Span<T> r_coarse);

}  // namespace Tessera::comm
