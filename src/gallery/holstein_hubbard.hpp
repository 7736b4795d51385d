#pragma once
/// \file
/// The Hamiltonian of the one-dimensional Holstein-Hubbard model, row by row: electrons that hop along a ring
/// of sites, repel each other where two are on one site, and are coupled to lattice vibrations.
///
///     H = -t sum_{i s} (c+_is c_{i+1,s} + h.c.) + U sum_i n_iup n_idown
///         + omega sum_m b+_m b_m + g omega sum_m (b+_m + b_m) sum_i phi_m(i) n_i
///
/// phi_m are the orthonormal standing waves on the ring but the constant one, which couples to the number of
/// electrons alone and is left out: sites - 1 modes, with at most so many phonons in all.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace Tessera::gallery {

struct HolsteinHubbardParameters {
  int sites = 6;
  int electrons = 6;  ///< half of them up, and the odd one
  int phonons = 15;   ///< at most
  double hopping = 1;
  double repulsion = 4;
  double frequency = 1;
  double coupling = 1;
};

class HolsteinHubbard {
 public:
  /// \throws core::InvalidInput where there are too many sites or electrons
  explicit HolsteinHubbard(HolsteinHubbardParameters const& parameters);

  /// C(sites, up) C(sites, down) C(phonons + sites - 1, phonons): those of 6 sites, 6 electrons and 15
  /// phonons are 6201600. Phonon states are numbered contiguously.
  GlobalIndex rows() const { return up_.states() * down_.states() * phonons(); }

  /// H plus this is positive definite: -t per electron and neighbour is the least that hopping can have, and
  /// -omega (g c)^2 the least of omega b+ b + g omega c (b+ + b).
  double shift() const { return shift_; }

  /// entry(column, value) for each entry of row i of H + shift, columns ascending.
  template <class Entry>
  void row(GlobalIndex i, Entry const& entry) const {
    std::pair<GlobalIndex, double> found[most_entries];
    auto* const end = fill(i, found);
    std::sort(found, end, [](auto const& a, auto const& b) { return a.first < b.first; });
    for (auto const* e = found; e != end; ++e) entry(e->first, e->second);
  }

  static constexpr int most_sites = 16;

 private:
  static constexpr int most_entries = 4 * most_sites;

  /// The states of the electrons of one spin: which sites they are on, and where one of them can hop.
  struct Spin {
    std::vector<unsigned> sites;
    std::vector<std::vector<std::pair<Index, double>>> hops;  ///< to which state, and the sign
    Spin(int count, int electrons);
    GlobalIndex states() const { return static_cast<GlobalIndex>(sites.size()); }
  };

  GlobalIndex phonons() const { return static_cast<GlobalIndex>(quanta_.size()); }
  void number_phonons(std::vector<int>& state, int mode, int left);
  std::pair<GlobalIndex, double>* fill(GlobalIndex i, std::pair<GlobalIndex, double>* next) const;

  HolsteinHubbardParameters parameters_;
  int modes_;
  Spin up_, down_;
  std::vector<std::vector<int>> quanta_;  ///< of each phonon state, by modes; ascending
  std::vector<Index> raised_;             ///< the phonon state with one more of a mode; -1: too many
  std::vector<Index> lowered_;            ///< with one less; -1: there is none
  std::vector<double> coupled_;           ///< g omega sum_i phi_m(i) n_i of each electron state, by modes
  double shift_ = 0;
};

}  // namespace Tessera::gallery
