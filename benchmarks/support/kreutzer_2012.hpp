#pragma once
/// \file
/// The matrices of table I of Kreutzer et al. 2012, on the host: HMEp from its physics, and stand-ins for the
/// others, which cannot be had. Of those the paper gives the numbers of rows and of entries a row, dense
/// blocks, the range of row lengths, and the memory that pJDS saves, from which follows the longest row; the
/// rest of their histograms, and where entries are, is ours.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "gallery/holstein_hubbard.hpp"
#include "support/stencils.hpp"

namespace Tessera::benchmarks {

/// Nodes of `block` unknowns, each coupled to all of its neighbours; those lie on both sides of it, eight
/// nodes apart but for chance.
struct StandIn {
  Index nodes;
  Index block;
  std::vector<std::pair<Index, double>> neighbours;  ///< how many, and the share of nodes that have so many

  Index count(Index node) const {
    double left = (core::uniform(node, 1) + 1) / 2;
    for (auto const& [number, share] : neighbours) {
      if ((left -= share) < 0) return number;
    }
    return neighbours.back().first;
  }
  Index rows() const { return nodes * block; }
  /// entry(column, value) for row i; columns ascend.
  template <class Entry>
  void row(Index i, Entry const& entry) const {
    constexpr Index apart = 8;
    auto const node = i / block, number = count(node);
    auto const first = std::clamp(node - number / 2 * apart, 0, std::max(0, nodes - number * apart));
    for (Index k = 0; k < number; ++k) {
      auto const chance = static_cast<Index>(core::mix64(std::uint64_t{13} * node + k) % apart);
      auto const neighbour = std::min(first + k * apart + chance, nodes - number + k);
      for (Index c = 0; c < block; ++c) entry(neighbour * block + c, 1.0 / (1 + k));
    }
  }
};

/// A line of the paper's table I, with ECC.
struct PaperMatrix {
  std::string name;
  double saved;                          ///< of ELLPACK's memory by pJDS, per cent
  double ellpack_r, pjds;                ///< Gflop/s on a C2070, in double
  double single_ellpack_r, single_pjds;  ///< in single
  StandIn like;                          ///< without nodes: HMEp
};

inline std::vector<PaperMatrix> kreutzer_2012() {
  return {
      {"DLR1",
       17.5,
       12.9,
       12.9,
       18.0,
       19.1,
       {46417, 6, {{15, 0.005}, {18, 0.007}, {21, 0.008}, {23, 0.8}, {28, 0.065}, {29, 0.115}}}},
      {"DLR2",
       48.0,
       9.6,
       9.5,
       13.2,
       12.1,
       {108396, 5, {{20, 0.05}, {40, 0.195}, {55, 0.25}, {65, 0.205}, {80, 0.18}, {100, 0.09}, {121, 0.03}}}},
      {"HMEp", 36.0, 7.9, 7.5, 12.1, 11.6, {}},
      {"sAMG",
       68.4,
       7.8,
       8.5,
       11.6,
       12.6,
       {3400000,
        1,
        {{5, 0.26}, {6, 0.2}, {7, 0.31}, {8, 0.13}, {10, 0.06}, {14, 0.025}, {18, 0.01}, {22, 0.005}}}}};
}

inline nlohmann::ordered_json paper_figures(PaperMatrix const& matrix) {
  return {{"stand_in", matrix.like.nodes > 0},
          {"saved", matrix.saved},
          {"ellpack_r", matrix.ellpack_r},
          {"pjds", matrix.pjds},
          {"single_ellpack_r", matrix.single_ellpack_r},
          {"single_pjds", matrix.single_pjds}};
}

inline sparse::Csr<double, Host> made(PaperMatrix const& matrix) {
  auto const& like = matrix.like;
  if (like.nodes == 0) {
    gallery::HolsteinHubbard const H({});
    return assembled(static_cast<Index>(H.rows()), [&](Index i, auto const& entry) {
      H.row(i, [&](GlobalIndex column, double value) { entry(static_cast<Index>(column), value); });
    });
  }
  return assembled(like.rows(), [&](Index i, auto const& entry) { like.row(i, entry); });
}

}  // namespace Tessera::benchmarks
