#pragma once
/// \file
/// The damping omega of a prolongator's smoothing.
#include "core/types.hpp"

namespace Tessera::galerkin {

/// A number that the host knows, or that lies on the space.
class Damping {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a damping
  Damping(double value) : value_(value) {}
  static Damping at(double const* place) {
    Damping damping(0);
    damping.place_ = place;
    return damping;
  }
  /// Whether the host knows that nothing is smoothed.
  bool is_zero() const { return place_ == nullptr && value_ == 0; }
  /// On the space.
  TESSERA_HD double operator()() const { return place_ != nullptr ? *place_ : value_; }

 private:
  double value_;
  double const* place_ = nullptr;
};

}  // namespace Tessera::galerkin
