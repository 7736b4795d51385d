#pragma once
/// \file
/// Sums of several numbers at once, each in its own right.
#include "core/lanes.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// n numbers that are added one by one. Reductions on a GPU fold them one after the other, in the memory that
/// one takes.
template <int n>
struct SumPack {
  double of[n];
  TESSERA_HD SumPack operator+(SumPack const& other) const {
    SumPack sum;
    put_lanes<n, double, double>(sum.of, [&](auto const& at) {
      return at.template of<double>(of) + at.template of<double>(other.of);
    });
    return sum;
  }
};

}  // namespace Tessera::core
