#pragma once
/// \file
/// Rows of the Hamiltonian of the one-dimensional Holstein-Hubbard model: electrons hop along a ring of
/// sites, repel each other on a common site, and are coupled to lattice vibrations.
///
///     H = -t sum_{i s} (c+_is c_{i+1,s} + h.c.) + U sum_i n_iup n_idown
///         + omega sum_m b+_m b_m + g omega sum_m (b+_m + b_m) sum_i phi_m(i) n_i
///
/// phi_m are the orthonormal standing waves on the ring without the constant wave, which couples only to the
/// number of electrons. There are sites - 1 modes, with a bounded total number of phonons.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace Tessera::gallery {

struct HolsteinHubbardParameters {
  int sites = 6;
  int electrons = 6;  ///< half of them up; an odd one is up
  int phonons = 15;   ///< largest total number
  double hopping = 1;
  double repulsion = 4;
  double frequency = 1;
  double coupling = 1;
};

class HolsteinHubbard {
 public:
  /// \throws core::InvalidInput for too many sites, electrons or phonon states
  explicit HolsteinHubbard(HolsteinHubbardParameters const& parameters);

  /// C(sites, up) C(sites, down) C(phonons + sites - 1, phonons); 6201600 for 6 sites, 6 electrons and 15
  /// phonons. Phonon states are numbered contiguously.
  GlobalIndex rows() const { return up_.states() * down_.states() * phonons(); }

  /// H + shift is positive definite: hopping contributes at least -t for each electron and neighbour, and
  /// omega b+ b + g omega c (b+ + b) at least -omega (g c)^2.
  double shift() const { return shift_; }

  /// Calls entry(column, value) for each entry of row i of H + shift; columns ascend.
  template <class Entry>
  void row(GlobalIndex i, Entry const& entry) const {
    std::pair<GlobalIndex, double> found[max_entries];
    auto* const end = fill(i, found);
    std::sort(found, end, [](auto const& a, auto const& b) { return a.first < b.first; });
    for (auto const* e = found; e != end; ++e) entry(e->first, e->second);
  }

  static constexpr int max_sites = 16;

 private:
  static constexpr int max_entries = 4 * max_sites;

  /// States of the electrons of one spin: their sites, and the hops of one electron.
  struct Spin {
    std::vector<unsigned> sites;
    std::vector<std::vector<std::pair<Index, double>>> hops;  ///< target state and sign
    Spin(int count, int electrons);
    GlobalIndex states() const { return static_cast<GlobalIndex>(sites.size()); }
  };

  GlobalIndex phonons() const { return static_cast<GlobalIndex>(quanta_.size()); }
  void number_phonons(std::vector<int>& state, int mode, int left);
  std::pair<GlobalIndex, double>* fill(GlobalIndex i, std::pair<GlobalIndex, double>* next) const;

  HolsteinHubbardParameters parameters_;
  int modes_;
  Spin up_, down_;
  std::vector<std::vector<int>> quanta_;  ///< of each phonon state, by mode; ascending
  std::vector<Index> raised_;    ///< phonon state with one more phonon in a mode; -1: too many phonons
  std::vector<Index> lowered_;   ///< phonon state with one phonon less in a mode; -1: none
  std::vector<double> coupled_;  ///< g omega sum_i phi_m(i) n_i of each electron state, by mode
  double shift_ = 0;
};

}  // namespace Tessera::gallery
