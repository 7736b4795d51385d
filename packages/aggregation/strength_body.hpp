#pragma once
/// \file
/// Which couplings are strong; see strength.hpp.
#include "aggregation/coarse_rounding.hpp"
#include "aggregation/couplings.hpp"
#include "aggregation/strength.hpp"

namespace Tessera::aggregation {

/// 1 for a node whose off-diagonals are all negligible or at most threshold a_ii.
struct DirichletBody {
  Couplings couplings;
  double threshold;  ///< coarsely rounded
  unsigned char* dirichlet;
  TESSERA_HD void operator()(Index i) const {
    auto const& A = couplings.A;
    double const inverse = couplings.scale[i] * couplings.scale[i];
    unsigned char none = 1;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1] && none == 1; ++k) {
      if (A.column[k] != i && couplings.scaled(i, k) > negligible &&
          coarsely_rounded(std::fabs(A.value[k]) * inverse) > threshold)
        none = 0;
    }
    dirichlet[i] = none;
  }
};

/// 1 / max_k(-a_ik), 0 where no coupling is negative.
struct InverseOfLargestBody {
  sparse::CsrView<double> A;
  double* inverse;
  TESSERA_HD void operator()(Index i) const {
    double largest = 0.0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] != i && -A.value[k] > largest) largest = -A.value[k];
    }
    inverse[i] = largest > 0.0 ? 1.0 / largest : 0.0;
  }
};

/// The criteria, each the same from either side of an edge. theta is coarsely rounded like what it is
/// compared with.
struct Classical {
  double theta;
  TESSERA_HD bool operator()(double, double scaled, Index, Index) const {
    return coarsely_rounded(scaled) > theta;
  }
};

struct SignedSymmetric {
  double theta;
  TESSERA_HD bool operator()(double a, double scaled, Index, Index) const {
    return (a < 0.0) & (coarsely_rounded(scaled) > theta);
  }
};

struct SignedClassical {
  double theta;
  double const* inverse;
  TESSERA_HD bool operator()(double a, double, Index i, Index j) const {
    return a < 0.0 &&
           (coarsely_rounded(-a * inverse[i]) >= theta || coarsely_rounded(-a * inverse[j]) >= theta);
  }
};

/// Which strong couplings are edges of the graph.
struct EdgeRule {
  unsigned char const* dirichlet;
  Index columns;  ///< from here on no edges: the number of owned nodes where ranks are not coupled
  TESSERA_HD bool operator()(Index i, Index j) const {
    return (j != i) & (j < columns) & ((dirichlet[i] | dirichlet[j]) == 0);
  }
};

/// The mask, and how many edges each row has; for sparse::count_entries. No short cuts in the conditions:
/// nobody foresees them.
template <class Criterion>
struct DecideBody {
  Couplings couplings;
  Criterion criterion;
  EdgeRule is_edge;
  unsigned char* strong;
  Offset* edges;
  TESSERA_HD Offset begin(Index i) const { return couplings.A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return couplings.A.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const {
    Index const j = couplings.A.column[k];
    double const scaled = couplings.scaled(i, k);
    bool const keep = (j == i) | ((scaled > negligible) & criterion(couplings.A.value[k], scaled, i, j));
    strong[k] = keep ? 1 : 0;
    return keep & is_edge(i, j);
  }
  TESSERA_HD void count(Index i, Offset found) const { edges[i] = found; }
};

/// The edges; for sparse::take_entries.
struct FillEdgesBody {
  Couplings couplings;
  EdgeRule is_edge;
  unsigned char const* strong;
  Offset const* offsets;
  Index* neighbour;
  float* weight;
  TESSERA_HD Offset begin(Index i) const { return couplings.A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return couplings.A.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const {
    return (strong[k] != 0) & is_edge(i, couplings.A.column[k]);
  }
  TESSERA_HD Offset start(Index i) const { return offsets[i]; }
  TESSERA_HD void take(Index i, Offset k, Offset edge) const {
    neighbour[edge] = couplings.A.column[k];
    weight[edge] = static_cast<float>(coarsely_rounded(couplings.scaled(i, k)));
  }
};

}  // namespace Tessera::aggregation
