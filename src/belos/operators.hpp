#pragma once
/// \file
/// The operators that Tessera gives Belos, and the way back to what they are made of.
#include <memory>
#include <utility>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"
#include "belos/residence.hpp"
#include "comm/dist_matrix.hpp"
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

inline Span<double const> column(ResidentMultiVector const& X, int j) {
  return {X.column(j), X.localRows()};
}
inline Span<double> column(ResidentMultiVector& X, int j) {
  return {X.column(j), X.localRows()};
}

/// A matrix of a ResidentSystem.
class AnyMatrixOperator : public ResidentOperator {
 public:
  /// As krylov::rounding_scale, for each column.
  virtual std::vector<krylov::RoundingScale> rounding_scales(ResidentMultiVector const& B,
                                                             ResidentMultiVector const& X) const = 0;
};

template <class Space>
class MatrixOperator final : public AnyMatrixOperator {
 public:
  MatrixOperator(Space const& space, comm::DistCsr<double, Space> const& A, bool symmetric)
      : space_(space), A_(space, A), symmetric_(symmetric) {}

  /// The matrix as it lies in its owner, who is kept. SELL-C-sigma would take a quarter less of a product's
  /// time at 7 entries a row, on a GPU a thirtieth of a solve, and would be another matrix in memory.
  MatrixOperator(Space const& space, comm::DistCsr<double, Space> const& A, bool symmetric,
                 std::shared_ptr<void const> owner)
      : space_(space), A_(space, A, in_place()), symmetric_(symmetric), owner_(std::move(owner)) {}

  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const override {
    for (int j = 0; j < X.columns(); ++j) comm::multiply(space_, A_, column(X, j), column(Y, j));
  }
  bool isSymmetric() const override { return symmetric_; }
  std::vector<krylov::RoundingScale> rounding_scales(ResidentMultiVector const& B,
                                                     ResidentMultiVector const& X) const override {
    krylov::Workspace<Space> workspace;
    std::vector<krylov::RoundingScale> scales;
    for (int j = 0; j < X.columns(); ++j)
      scales.push_back(krylov::rounding_scale(space_, A_, column(B, j), column(X, j), workspace));
    return scales;
  }

  Space const& space() const { return space_; }
  comm::DistMatrix<double, Space> const& matrix() const { return A_; }

 private:
  static comm::StorageParameters in_place() {
    comm::StorageParameters how;
    how.format = comm::MatrixFormat::csr;
    how.borrow = true;
    return how;
  }

  Space space_;
  comm::DistMatrix<double, Space> A_;
  bool symmetric_;
  std::shared_ptr<void const> owner_;
};

class PreconditionerOperator final : public ResidentOperator {
 public:
  PreconditionerOperator(krylov::Preconditioner M, bool symmetric)
      : M_(std::move(M)), symmetric_(symmetric) {}

  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const override {
    for (int j = 0; j < X.columns(); ++j) M_.apply(column(X, j), column(Y, j));
  }
  bool isSymmetric() const override { return symmetric_; }

  krylov::Preconditioner const& preconditioner() const { return M_; }

 private:
  krylov::Preconditioner M_;
  bool symmetric_;
};

}  // namespace Tessera::belos
