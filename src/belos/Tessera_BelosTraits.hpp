#pragma once
/// \file
/// Belos' traits of vectors and operators: with them, any of its solver managers runs on a GPU.
#include <BelosMultiVecTraits.hpp>
#include <BelosOperatorTraits.hpp>
#include <Teuchos_Range1D.hpp>
#include <numeric>
#include <stdexcept>

#include "Tessera_ResidentOperator.hpp"

namespace Belos {

template <>
class MultiVecTraits<double, Tessera::ResidentMultiVector> {
 public:
  using MV = Tessera::ResidentMultiVector;
  using Matrix = Teuchos::SerialDenseMatrix<int, double>;

  static Teuchos::RCP<MV> Clone(MV const& X, int const columns) { return Teuchos::rcp(new MV(X, columns)); }
  static Teuchos::RCP<MV> CloneCopy(MV const& X) {
    auto const copy = Clone(X, X.columns());
    copy->assign(X);
    return copy;
  }
  static Teuchos::RCP<MV> CloneCopy(MV const& X, std::vector<int> const& index) {
    return CloneCopy(*X.view(index));
  }
  static Teuchos::RCP<MV> CloneCopy(MV const& X, Teuchos::Range1D const& index) {
    return CloneCopy(X, all(index));
  }
  static Teuchos::RCP<MV> CloneViewNonConst(MV& X, std::vector<int> const& index) { return X.view(index); }
  static Teuchos::RCP<MV> CloneViewNonConst(MV& X, Teuchos::Range1D const& index) {
    return X.view(all(index));
  }
  static Teuchos::RCP<MV const> CloneView(MV const& X, std::vector<int> const& index) {
    return X.view(index);
  }
  static Teuchos::RCP<MV const> CloneView(MV const& X, Teuchos::Range1D const& index) {
    return X.view(all(index));
  }

  static std::ptrdiff_t GetGlobalLength(MV const& X) { return X.globalRows(); }
  static int GetNumberVecs(MV const& X) { return X.columns(); }
  static bool HasConstantStride(MV const&) { return false; }

  static void MvTimesMatAddMv(double const alpha, MV const& A, Matrix const& B, double const beta, MV& Y) {
    Y.multiplyAdd(alpha, A, B, beta);
  }
  static void MvAddMv(double const alpha, MV const& A, double const beta, MV const& B, MV& Y) {
    Y.combine(alpha, A, beta, B);
  }
  static void MvScale(MV& X, double const alpha) {
    X.scale(std::vector<double>(static_cast<std::size_t>(X.columns()), alpha));
  }
  static void MvScale(MV& X, std::vector<double> const& alpha) { X.scale(alpha); }
  static void MvTransMv(double const alpha, MV const& A, MV const& B, Matrix& C) {
    A.innerProducts(alpha, B, C);
  }
  /// products may have more elements than columns; it is not shortened.
  static void MvDot(MV const& A, MV const& B, std::vector<double>& products) { front(A.dots(B), products); }
  static void MvNorm(MV const& X, std::vector<double>& norms, NormType const type = TwoNorm) {
    front(type == OneNorm ? X.norms1() : type == InfNorm ? X.normsInf() : X.norms2(), norms);
  }

  /// A may have more columns than index.
  static void SetBlock(MV const& A, std::vector<int> const& index, MV& X) {
    std::vector<int> first(index.size());
    std::iota(first.begin(), first.end(), 0);
    X.view(index)->assign(*A.view(first));
  }
  static void SetBlock(MV const& A, Teuchos::Range1D const& index, MV& X) { SetBlock(A, all(index), X); }
  static void Assign(MV const& A, MV& X) { X.assign(A); }
  static void MvRandom(MV& X) { X.randomise(); }
  static void MvInit(MV& X, double const value = 0.0) { X.fill(value); }
  static void MvPrint(MV const& X, std::ostream& out) { X.print(out); }

#ifdef HAVE_BELOS_TSQR
  using tsqr_adaptor_type = Belos::details::StubTsqrAdapter<MV>;
#endif

 private:
  static std::vector<int> all(Teuchos::Range1D const& range) {
    std::vector<int> index(static_cast<std::size_t>(range.size()));
    std::iota(index.begin(), index.end(), static_cast<int>(range.lbound()));
    return index;
  }
  static void front(std::vector<double> const& values, std::vector<double>& target) {
    if (target.size() < values.size()) target.resize(values.size());
    std::copy(values.begin(), values.end(), target.begin());
  }
};

template <>
class OperatorTraits<double, Tessera::ResidentMultiVector, Tessera::ResidentOperator> {
 public:
  static void Apply(Tessera::ResidentOperator const& A, Tessera::ResidentMultiVector const& X,
                    Tessera::ResidentMultiVector& Y, ETrans const trans = NOTRANS) {
    if (trans != NOTRANS && !A.isSymmetric())
      throw std::invalid_argument(
          "Belos::OperatorTraits::Apply: the transpose of this resident operator cannot be applied; use a "
          "solver without transposes, such as CG or GMRES.");
    A.apply(X, Y);
  }
  static bool HasApplyTranspose(Tessera::ResidentOperator const& A) { return A.isSymmetric(); }
};

}  // namespace Belos
