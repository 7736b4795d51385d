#pragma once
/// \file
/// The best bipartition of at most 16 vertices.
///
/// Brannick, Chen, Hu, Zikatanov 2013, section 3.3, for two aggregates with n <= 16 vertices in all. A is the
/// Laplacian of the weights between these vertices, D its diagonal, S = I - (2 D)^-1 A the l1-Jacobi
/// smoother. The paper maximises the trace of a matrix of rank one, which is a quotient of two quadratic
/// forms. Let c be the characteristic vector of either side. It is the paper's coarse vector up to a factor
/// and a constant. Because A 1 = 0 and S 1 = 1,
///
///     |T|_A^2 = |S c|_A^2 / |c|_A^2 = c^T K c / c^T A c,   K = S^T A S = A - C + C D^-1 A / 4,
///     C = A D^-1 A
///
/// and |T|_A^2 = 1, its largest value, if no weight joins the sides. The bits of c are split into two halves.
/// A table holds the forms of all low halves, and each high half contributes one number per low bit, so a
/// bipartition costs a few additions. Connectedness is checked only for a bipartition that would become the
/// best.
#include "aggregation/coarse_rounding.hpp"
#include "core/group.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

constexpr int most_vertices = 16;  ///< of a pair of aggregates that is reshaped; it has 6435 bipartitions
constexpr int half_vertices = most_vertices / 2;

/// c^T A c and c^T K c.
struct Forms {
  double A, K;
};

/// Work space of a group for one pair, shared by its lanes.
struct PairScratch {
  double A[most_vertices][most_vertices], K[most_vertices][most_vertices];
  Forms low[1 << half_vertices];
  double inverse[most_vertices];  ///< of D; 0 for 0
  VertexId id[most_vertices];     ///< ascending
  Index row[most_vertices];
  unsigned adjacent[most_vertices];  ///< bit by bit
};

TESSERA_HD inline int count_of_bits(unsigned x) {
  x = x - (x >> 1 & 0x5555u);
  x = (x & 0x3333u) + (x >> 2 & 0x3333u);
  x = (x + (x >> 4)) & 0x0f0fu;
  return static_cast<int>((x + (x >> 8)) & 0x1fu);
}

/// The next larger number with the same count of bits (Gosper).
TESSERA_HD inline unsigned next_of_as_many_bits(unsigned x) {
  unsigned const lowest = x & (~x + 1), above = x + lowest;
  return above | (x ^ above) >> (count_of_bits(lowest - 1) + 2);
}

struct Bipartition {
  double quality;  ///< |T|_A^2, coarsely rounded; below zero: none
  int moves;       ///< vertices that change sides
  unsigned side;   ///< either side, bit by bit
  TESSERA_HD bool beats(Bipartition const& other) const {
    if (quality != other.quality) return quality > other.quality;
    return moves != other.moves ? moves < other.moves : side < other.side;
  }
};

/// Searches the bipartitions of n vertices. On entry scratch.K[i][j] is the weight w_ij of the edge from i to
/// j, 0 without an edge. An edge of negative weight connects its vertices and adds nothing to A.
struct BipartitionSearch {
  PairScratch& scratch;
  int n;
  unsigned present;  ///< the present side, bit by bit

  /// The bipartition with the largest trace whose sides are connected and differ by at most one vertex. Ties
  /// go to the fewest moves, then to the smallest side as a number. All lanes return it.
  template <class Group>
  TESSERA_HD Bipartition operator()(Group const& group) const {
    set_matrices(group);
    for (auto low = group.lane; low < 1 << low_bits(); low += Group::size)
      scratch.low[low] = {form(scratch.A, static_cast<unsigned>(low), 0),
                          form(scratch.K, static_cast<unsigned>(low), 0)};
    group.sync();
    double total = 0.0;
    for (int i = 0; i < n; ++i) total += scratch.A[i][i];
    // Sides of equal size are enumerated once: the side without the last vertex.
    int const end = 1 << (n - low_bits() - (n % 2 == 0 ? 1 : 0));
    Bipartition best{-1.0, 0, 0};
    double threshold = 0.0;
    for (int from = 0; from < end; from += Group::size) {
      if (from + group.lane < end)
        try_all(static_cast<unsigned>(from + group.lane), negligible * total, threshold, best);
      threshold = group.reduce(best.quality, core::Max{});
    }
    return group.reduce(best, core::Better{});
  }

 private:
  TESSERA_HD int low_bits() const { return n / 2; }

  /// An edge exists where either of its ends stores it.
  template <class Group>
  TESSERA_HD void set_matrices(Group const& group) const {
    auto& s = scratch;
    for (int i = group.lane; i < n; i += Group::size) {
      s.adjacent[i] = 0;
      double sum = 0.0;
      for (int j = 0; j < n; ++j) {
        double const out = s.K[i][j], in = s.K[j][i];
        double const weight = core::Max{}(core::Max{}(out, in), 0.0);
        if (out != 0.0 || in != 0.0) s.adjacent[i] |= 1u << j;
        s.A[i][j] = -weight;
        sum += weight;
      }
      s.A[i][i] = sum;
      s.inverse[i] = sum > 0.0 ? 1.0 / sum : 0.0;
    }
    group.sync();
    for (int i = group.lane; i < n; i += Group::size) {
      double C[most_vertices];
      for (int j = 0; j < n; ++j) {
        C[j] = 0.0;
        for (int k = 0; k < n; ++k) C[j] += s.A[i][k] * s.inverse[k] * s.A[k][j];
      }
      for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) sum += C[k] * s.inverse[k] * s.A[k][j];
        s.K[i][j] = s.A[i][j] - C[j] + 0.25 * sum;
      }
    }
    group.sync();
  }

  /// c^T M c for the bits of c from `first` on.
  TESSERA_HD double form(double const (&M)[most_vertices][most_vertices], unsigned bits, int first) const {
    double sum = 0.0;
    for (int i = first; i < n; ++i) {
      for (int j = first; j < n; ++j) {
        if ((bits >> (i - first) & bits >> (j - first) & 1u) != 0) sum += M[i][j];
      }
    }
    return sum;
  }

  /// Twice the growth of c^T M c when low bit j joins the high half.
  TESSERA_HD Forms growth(unsigned high, int j) const {
    Forms sum{0.0, 0.0};
    for (int i = low_bits(); i < n && j < low_bits(); ++i) {
      if ((high >> (i - low_bits()) & 1u) == 0) continue;
      sum.A += 2.0 * scratch.A[i][j];
      sum.K += 2.0 * scratch.K[i][j];
    }
    return sum;
  }

  /// All bipartitions with these bits for the high half.
  TESSERA_HD void try_all(unsigned high, double nothing, double threshold, Bipartition& best) const {
    int const rest = n / 2 - count_of_bits(high);
    if (rest < 0 || rest > low_bits()) return;
    Forms const of_high{form(scratch.A, high, low_bits()), form(scratch.K, high, low_bits())};
    Forms to_low[half_vertices];  // of constant size, to stay in registers
    for (int j = 0; j < half_vertices; ++j) to_low[j] = growth(high, j);
    for (unsigned low = (1u << rest) - 1; low < 1u << low_bits(); low = next_of_as_many_bits(low)) {
      auto sum = scratch.low[low];
      for (int j = 0; j < half_vertices; ++j) {
        bool const is = (low >> j & 1u) != 0;
        sum.A += is ? to_low[j].A : 0.0;
        sum.K += is ? to_low[j].K : 0.0;
      }
      sum.A += of_high.A;
      sum.K += of_high.K;
      double const quality = sum.A <= nothing ? 1.0 : coarsely_rounded(core::Max{}(sum.K, 0.0) / sum.A);
      unsigned const side = high << low_bits() | low;
      int const moves = count_of_bits(side ^ present);
      Bipartition const found{quality, moves < n - moves ? moves : n - moves, side};
      if (quality >= threshold && found.beats(best) && connected(side) && connected(side ^ ((1u << n) - 1)))
        best = found;
      if (rest == 0) break;
    }
  }

  TESSERA_HD bool connected(unsigned side) const {
    unsigned reached = side & (~side + 1), before = 0;
    while (reached != before) {
      before = reached;
      for (int i = 0; i < n; ++i) {
        if ((before >> i & 1u) != 0) reached |= scratch.adjacent[i] & side;
      }
    }
    return reached == side;
  }
};

}  // namespace Tessera::aggregation
