#pragma once
/// \file
/// The operators that Tessera gives Belos, and the way back to what they are made of.
#include <utility>

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

template <class Space>
class MatrixOperator final : public ResidentOperator {
 public:
  MatrixOperator(Space const& space, comm::DistCsr<double, Space> const& A, bool symmetric)
      : space_(space), A_(space, A), symmetric_(symmetric) {}

  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const override {
    for (int j = 0; j < X.columns(); ++j) comm::multiply(space_, A_, column(X, j), column(Y, j));
  }
  bool isSymmetric() const override { return symmetric_; }

  Space const& space() const { return space_; }
  comm::DistMatrix<double, Space> const& matrix() const { return A_; }

 private:
  Space space_;
  comm::DistMatrix<double, Space> A_;
  bool symmetric_;
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
