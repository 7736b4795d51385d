#pragma once
/// \file
/// Scaling of systems whose right-hand sides would overflow or underflow when they are squared.
#include <BelosMultiVecTraits.hpp>
#include <Teuchos_RCP.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

namespace Tessera::belos {

/// If the largest entry of B is far from 1: copies of B and X times powers of two, which changes no digit.
/// Norms would square that entry, and cycles might round it to float. Otherwise B and X themselves.
/// same_power: for all columns. Collective.
template <class MV>
class ScaledSystem {
 public:
  ScaledSystem(Teuchos::RCP<MV const> const& B, Teuchos::RCP<MV> const& X, bool same_power = false)
      : B_(B), X_(X), target_(X) {
    std::vector<double> largest(static_cast<std::size_t>(Traits::GetNumberVecs(*B)));
    Traits::MvNorm(*B, largest, Belos::InfNorm);
    double const most = *std::max_element(largest.begin(), largest.end());
    for (double const b : largest) {
      exponents_.push_back(exponent_of(same_power ? most : b));
      needed_ = needed_ || exponents_.back() != 0;
    }
    if (!needed_) return;
    auto const copy = Traits::CloneCopy(*B);
    Traits::MvScale(*copy, powers(-1));
    B_ = copy;
    X_ = Traits::CloneCopy(*X);
    Traits::MvScale(*X_, powers(-1));
  }

  Teuchos::RCP<MV const> const& B() const { return B_; }
  Teuchos::RCP<MV> const& X() const { return X_; }

  /// Writes the solution to the X of the constructor.
  void copy_back() const {
    if (!needed_) return;
    Traits::Assign(*X_, *target_);
    Traits::MvScale(*target_, powers(1));
  }

  /// The factor of the first column.
  double factor() const { return std::ldexp(1.0, -exponents_.front()); }
  /// After copy_back(): the solution of the caller, scaled as B() is; null if unscaling was exact.
  Teuchos::RCP<MV> rounded() const {
    if (!needed_) return Teuchos::null;
    auto const given = Traits::CloneCopy(*target_), difference = Traits::CloneCopy(*target_);
    Traits::MvScale(*given, powers(-1));
    Traits::MvAddMv(1.0, *given, -1.0, *X_, *difference);
    std::vector<double> lost(exponents_.size());
    Traits::MvNorm(*difference, lost, Belos::InfNorm);
    bool const exact = std::all_of(lost.begin(), lost.end(), [](double l) { return l == 0; });
    return exact ? Teuchos::null : given;
  }

 private:
  using Traits = Belos::MultiVecTraits<double, MV>;

  static int exponent_of(double b) {
    constexpr int most = 1000;  // 2^most and 2^-most are finite and positive
    bool const fine = b == 0 || !std::isfinite(b) || (b >= 1e-20 && b <= 1e20);
    return fine ? 0 : std::clamp(std::ilogb(b), -most, most);
  }
  std::vector<double> powers(int sign) const {
    std::vector<double> factors;
    for (int const exponent : exponents_) factors.push_back(std::ldexp(1.0, sign * exponent));
    return factors;
  }

  Teuchos::RCP<MV const> B_;
  Teuchos::RCP<MV> X_, target_;
  std::vector<int> exponents_;
  bool needed_ = false;
};

}  // namespace Tessera::belos
