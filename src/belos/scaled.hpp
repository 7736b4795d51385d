#pragma once
/// \file
/// Right-hand sides that are too large or too small to be squared.
#include <BelosMultiVecTraits.hpp>
#include <Teuchos_RCP.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

namespace Tessera::belos {

/// Columns of B and X times powers of two, which changes no digit, where the largest entry of B is far from
/// 1: norms square it, and cycles may round it to float. Else B and X themselves. alike: all columns by the
/// same power. Collective.
template <class MV>
class Scaled {
 public:
  Scaled(Teuchos::RCP<MV const> const& B, Teuchos::RCP<MV> const& X, bool alike = false)
      : B_(B), X_(X), target_(X) {
    std::vector<double> largest(static_cast<std::size_t>(Traits::GetNumberVecs(*B)));
    Traits::MvNorm(*B, largest, Belos::InfNorm);
    double const most = *std::max_element(largest.begin(), largest.end());
    is_zero_ = most == 0;
    for (double const b : largest) {
      exponents_.push_back(exponent_of(alike ? most : b));
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
  /// Whether all of B is.
  bool is_zero() const { return is_zero_; }

  /// The solution into the X that was given.
  void give_back() const {
    if (!needed_) return;
    Traits::Assign(*X_, *target_);
    Traits::MvScale(*target_, powers(1));
  }

  /// What the first column was multiplied by.
  double factor() const { return std::ldexp(1.0, -exponents_.front()); }
  /// Behind give_back(), the solution as it was given, scaled as B() is; null where it has lost nothing.
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
    constexpr int most = 1000;  // either way it is a number
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
  bool needed_ = false, is_zero_ = false;
};

}  // namespace Tessera::belos
