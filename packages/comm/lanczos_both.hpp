#pragma once
/// \file
/// Numbers of two runs of Lanczos, for A and for A_F, whose steps share their passes.
#include "core/types.hpp"

namespace Tessera::comm {

/// A number of each run.
struct Both {
  double of_A = 0, of_filtered = 0;
  TESSERA_HD Both& operator+=(Both const& other) {
    of_A += other.of_A;
    of_filtered += other.of_filtered;
    return *this;
  }
};
/// The first step's, with the sum of absolute values in A_F's row.
struct BothAndBound {
  Both both;
  double bound = 0;
  TESSERA_HD BothAndBound& operator+=(BothAndBound const& other) {
    both += other.both;
    bound += other.bound;
    return *this;
  }
};

struct JoinBoth {
  TESSERA_HD Both operator()(Both const& a, Both const& b) const {
    return {a.of_A + b.of_A, a.of_filtered + b.of_filtered};
  }
  TESSERA_HD BothAndBound operator()(BothAndBound const& a, BothAndBound const& b) const {
    return {(*this)(a.both, b.both), a.bound < b.bound ? b.bound : a.bound};
  }
};

}  // namespace Tessera::comm
