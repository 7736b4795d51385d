#pragma once
/// \file
/// The damping omega of a prolongator's smoothing.
#include "core/types.hpp"

namespace Tessera::galerkin {

/// A number in host memory or in the memory of the space.
class Damping {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a damping
  Damping(double value) : value_(value) {}
  static Damping at(double const* place) {
    Damping damping(0);
    damping.place_ = place;
    return damping;
  }
  /// Whether the number is a zero known to the host, so that nothing is smoothed.
  bool is_zero() const { return place_ == nullptr && value_ == 0; }
  /// The number in the memory of the space.
  TESSERA_HD double operator()() const { return place_ != nullptr ? *place_ : value_; }

 private:
  double value_;
  double const* place_ = nullptr;
};

}  // namespace Tessera::galerkin
