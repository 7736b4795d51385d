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
/// 1: norms square it, and cycles may round it to float. Else B and X themselves. Collective.
template <class MV>
class Scaled {
 public:
  Scaled(Teuchos::RCP<MV const> const& B, Teuchos::RCP<MV> const& X) : B_(B), X_(X), target_(X) {
    std::vector<double> largest(static_cast<std::size_t>(Traits::GetNumberVecs(*B)));
    Traits::MvNorm(*B, largest, Belos::InfNorm);
    is_zero_ = *std::max_element(largest.begin(), largest.end()) == 0;
    std::vector<double> factors;
    for (double const b : largest) {
      bool const fine = b == 0 || !std::isfinite(b) || (b >= 1e-20 && b <= 1e20);
      exponents_.push_back(fine ? 0 : std::ilogb(b));
      factors.push_back(std::ldexp(1.0, -exponents_.back()));
      needed_ = needed_ || !fine;
    }
    if (!needed_) return;
    auto const copy = Traits::CloneCopy(*B);
    Traits::MvScale(*copy, factors);
    B_ = copy;
    X_ = Traits::CloneCopy(*X);
    Traits::MvScale(*X_, factors);
  }

  Teuchos::RCP<MV const> const& B() const { return B_; }
  Teuchos::RCP<MV> const& X() const { return X_; }
  /// Whether all of B is.
  bool is_zero() const { return is_zero_; }

  /// The solution into the X that was given.
  void give_back() const {
    if (!needed_) return;
    std::vector<double> factors;
    for (int const exponent : exponents_) factors.push_back(std::ldexp(1.0, exponent));
    Traits::Assign(*X_, *target_);
    Traits::MvScale(*target_, factors);
  }

 private:
  using Traits = Belos::MultiVecTraits<double, MV>;

  Teuchos::RCP<MV const> B_;
  Teuchos::RCP<MV> X_, target_;
  std::vector<int> exponents_;
  bool needed_ = false, is_zero_ = false;
};

}  // namespace Tessera::belos
