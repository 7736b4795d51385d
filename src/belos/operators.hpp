#pragma once
/// \file
/// The operators that Tessera gives Belos, and the way back to what they are made of.
#include <memory>
#include <utility>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"
#include "belos/residence.hpp"
#include "comm/dist_matrix.hpp"
#include "core/error.hpp"
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

inline Span<double const> column(ResidentMultiVector const& X, int j) {
  return {X.column(j), X.localRows()};
}
inline Span<double> column(ResidentMultiVector& X, int j) {
  return {X.column(j), X.localRows()};
}

/// An operator of Tessera's, whose vectors are of one residence or of one that fits.
class PlacedOperator : public ResidentOperator {
 public:
  /// \throws core::InvalidInput, on all ranks, where vectors from there do not fit
  void require(Residence const& there) const {
    TESSERA_VALIDATE(here_->fits(there),
                     "Tessera::ResidentOperator::apply: the vectors live in another place than the operator "
                     "(another back end or another distribution of rows); make them with its ResidentSystem");
  }
  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const final {
    require(X.residence());
    require(Y.residence());
    TESSERA_VALIDATE(X.columns() == Y.columns(), "Tessera::ResidentOperator::apply: X has ", X.columns(),
                     " columns and Y has ", Y.columns(), "; they must have equally many");
    for (int j = 0; j < X.columns(); ++j) apply_to(column(X, j), column(Y, j));
  }

 protected:
  explicit PlacedOperator(std::shared_ptr<Residence const> here) : here_(std::move(here)) {}

 private:
  virtual void apply_to(Span<double const> x, Span<double> y) const = 0;

  std::shared_ptr<Residence const> here_;
};

/// A matrix of a ResidentSystem.
class AnyMatrixOperator : public PlacedOperator {
 public:
  /// As krylov::rounding_scale, for each column.
  virtual std::vector<krylov::RoundingScale> rounding_scales(ResidentMultiVector const& B,
                                                             ResidentMultiVector const& X) const = 0;

 protected:
  using PlacedOperator::PlacedOperator;
};

template <class Space>
class MatrixOperator final : public AnyMatrixOperator {
 public:
  MatrixOperator(std::shared_ptr<Residence const> here, Space const& space,
                 comm::DistCsr<double, Space> const& A, bool symmetric)
      : AnyMatrixOperator(std::move(here)), space_(space), A_(space, A), symmetric_(symmetric) {}

  /// The matrix as it lies in its owner, who is kept. SELL-C-sigma would take a quarter less of a product's
  /// time at 7 entries a row, on a GPU a thirtieth of a solve, and would be another matrix in memory.
  MatrixOperator(std::shared_ptr<Residence const> here, Space const& space,
                 comm::DistCsr<double, Space> const& A, bool symmetric, std::shared_ptr<void const> owner)
      : AnyMatrixOperator(std::move(here)),
        space_(space),
        A_(space, A, in_place()),
        symmetric_(symmetric),
        owner_(std::move(owner)) {}

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
  void apply_to(Span<double const> x, Span<double> y) const override { comm::multiply(space_, A_, x, y); }
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

class PreconditionerOperator final : public PlacedOperator {
 public:
  PreconditionerOperator(std::shared_ptr<Residence const> here, krylov::Preconditioner M, bool symmetric)
      : PlacedOperator(std::move(here)), M_(std::move(M)), symmetric_(symmetric) {}

  bool isSymmetric() const override { return symmetric_; }

  krylov::Preconditioner const& preconditioner() const { return M_; }

 private:
  void apply_to(Span<double const> x, Span<double> y) const override { M_.apply(x, y); }

  krylov::Preconditioner M_;
  bool symmetric_;
};

}  // namespace Tessera::belos
