#pragma once
/// \file
/// Two runs of Lanczos, for A and for A_F, whose steps share their passes: their vectors are interleaved.
#include "core/hash.hpp"
#include "core/span.hpp"
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

/// StartVector of both.
struct StartBoth {
  Span<VertexId const> ids;
  Span<double const> diagonal, filtered_diagonal;
  int seed;
  Both* u;
  Both* previous;
  TESSERA_HD Both operator()(Index i) const {
    double const start = core::uniform(ids[i], static_cast<std::uint64_t>(seed));
    u[i] = {start, start};
    previous[i] = {0, 0};
    return {diagonal[i] * start * start, filtered_diagonal[i] * start * start};
  }
};

/// Orthogonalise of both.
struct OrthogonaliseBoth {
  Span<double const> diagonal, filtered_diagonal;
  Both const* u;
  Both* w;
  Both factor;

  struct Fetched {
    double diagonal, filtered_diagonal;
    Both u, w;
  };
  TESSERA_HD Fetched fetch(Index i) const { return {diagonal[i], filtered_diagonal[i], u[i], w[i]}; }
  TESSERA_HD Both operator()(Index i, Fetched const& here) const {
    Both const result{here.w.of_A - factor.of_A * here.u.of_A,
                      here.w.of_filtered - factor.of_filtered * here.u.of_filtered};
    w[i] = result;
    return {here.diagonal * result.of_A * result.of_A,
            here.filtered_diagonal * result.of_filtered * result.of_filtered};
  }
  TESSERA_HD Both operator()(Index i) const { return (*this)(i, fetch(i)); }
};

}  // namespace Tessera::comm
