#pragma once
/// \file
/// How often a solver manager of Belos has applied its matrix: all that is known of its iterations where it
/// has thrown.
#include <Tpetra_Operator.hpp>
#include <utility>

#include "belos/Tessera_ResidentOperator.hpp"

namespace Tessera::belos {

/// The same operator, which counts. For Tpetra's vectors and for Tessera's.
template <class OP>
class Counted;

template <>
class Counted<Tpetra::Operator<>> final : public Tpetra::Operator<> {
 public:
  using Vectors = Tpetra::MultiVector<>;
  using Map = Tpetra::Map<>;

  explicit Counted(Teuchos::RCP<Tpetra::Operator<> const> A) : A_(std::move(A)) {}

  Teuchos::RCP<Map const> getDomainMap() const override { return A_->getDomainMap(); }
  Teuchos::RCP<Map const> getRangeMap() const override { return A_->getRangeMap(); }
  bool hasTransposeApply() const override { return A_->hasTransposeApply(); }
  void apply(Vectors const& X, Vectors& Y, Teuchos::ETransp mode, double alpha, double beta) const override {
    ++times_;
    A_->apply(X, Y, mode, alpha, beta);
  }
  int times() const { return times_; }

 private:
  Teuchos::RCP<Tpetra::Operator<> const> A_;
  mutable int times_ = 0;
};

template <>
class Counted<ResidentOperator> final : public ResidentOperator {
 public:
  explicit Counted(Teuchos::RCP<ResidentOperator const> A) : A_(std::move(A)) {}

  bool isSymmetric() const override { return A_->isSymmetric(); }
  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const override {
    ++times_;
    A_->apply(X, Y);
  }
  int times() const { return times_; }

 private:
  Teuchos::RCP<ResidentOperator const> A_;
  mutable int times_ = 0;
};

}  // namespace Tessera::belos
