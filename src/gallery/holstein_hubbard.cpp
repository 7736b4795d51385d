#include "gallery/holstein_hubbard.hpp"

#include <cmath>
#include <numeric>

#include "core/error.hpp"

namespace Tessera::gallery {

namespace {

int count_bits(unsigned mask) {
  int count = 0;
  for (; mask != 0; mask &= mask - 1) ++count;
  return count;
}

/// The orthonormal standing waves on a ring of n sites, without the constant wave, mode by mode.
std::vector<std::vector<double>> standing_waves(int n) {
  double const pi = std::acos(-1.0), height = std::sqrt(2.0 / n);
  std::vector<std::vector<double>> waves;
  for (int k = 1; 2 * k < n; ++k) {
    std::vector<double> even, odd;
    for (int i = 0; i < n; ++i) {
      even.push_back(height * std::cos(2 * pi * k * i / n));
      odd.push_back(height * std::sin(2 * pi * k * i / n));
    }
    waves.push_back(even);
    waves.push_back(odd);
  }
  if (n % 2 == 0) {
    std::vector<double> alternating;
    for (int i = 0; i < n; ++i) alternating.push_back((i % 2 == 0 ? 1 : -1) / std::sqrt(n));
    waves.push_back(alternating);
  }
  return waves;
}

template <class T>
Index position(std::vector<T> const& ascending, T const& wanted) {
  auto const at = std::lower_bound(ascending.begin(), ascending.end(), wanted);
  return at != ascending.end() && *at == wanted ? static_cast<Index>(at - ascending.begin()) : -1;
}

HolsteinHubbardParameters const& checked(HolsteinHubbardParameters const& p) {
  TESSERA_VALIDATE(2 <= p.sites && p.sites <= HolsteinHubbard::max_sites, "the ring has ", p.sites,
                   " sites (it needs 2 to 16); change --sites");
  TESSERA_VALIDATE(p.electrons <= 2 * p.sites, "there are ", p.electrons, " electrons on ", p.sites,
                   " sites (two fit on a site); give at most ", 2 * p.sites);
  // C(phonons + sites - 1, phonons); each partial product is a whole number.
  double states = 1;
  for (int k = 1; k < p.sites; ++k) states *= static_cast<double>(p.phonons + k) / k;
  TESSERA_VALIDATE(states < 1e8, p.phonons, " phonons in ", p.sites - 1, " modes have ", states,
                   " states (each rank has a table of them); give fewer phonons");
  return p;
}

}  // namespace

HolsteinHubbard::Spin::Spin(int count, int electrons) {
  for (unsigned mask = 0; mask < 1u << count; ++mask) {
    if (count_bits(mask) == electrons) sites.push_back(mask);
  }
  for (auto const mask : sites) {
    std::vector<std::pair<Index, double>> from_here;
    for (int i = 0; i < (count == 2 ? 1 : count); ++i) {  // two sites have one bond
      unsigned const bond = 1u << i | 1u << (i + 1) % count;
      if (count_bits(mask & bond) != 1) continue;
      // Electrons are numbered along the ring: the hop that closes the ring passes all other electrons.
      bool const passes_odd = i + 1 == count && electrons % 2 == 0;
      from_here.emplace_back(position(sites, mask ^ bond), passes_odd ? -1.0 : 1.0);
    }
    hops.push_back(from_here);
  }
}

HolsteinHubbard::HolsteinHubbard(HolsteinHubbardParameters const& parameters)
    : parameters_(checked(parameters)),
      modes_(parameters.sites - 1),
      up_(parameters.sites, (parameters.electrons + 1) / 2),
      down_(parameters.sites, parameters.electrons / 2) {
  auto const& p = parameters_;
  std::vector<int> state(static_cast<std::size_t>(modes_), 0);
  number_phonons(state, 0, p.phonons);
  for (auto quanta : quanta_) {
    bool const full = std::accumulate(quanta.begin(), quanta.end(), 0) == p.phonons;
    for (auto& of_mode : quanta) {
      ++of_mode;
      raised_.push_back(full ? -1 : position(quanta_, quanta));
      of_mode -= 2;
      lowered_.push_back(position(quanta_, quanta));
      ++of_mode;
    }
  }
  for (auto const up : up_.sites) {
    for (auto const down : down_.sites) {
      for (auto const& wave : standing_waves(p.sites)) {
        double sum = 0;
        for (int i = 0; i < p.sites; ++i)
          sum += wave[static_cast<std::size_t>(i)] * ((up >> i & 1) + (down >> i & 1));
        coupled_.push_back(std::abs(sum) < 1e-12 ? 0 : p.coupling * p.frequency * sum);
      }
    }
  }
  int const pairs = p.electrons / 2, single = p.electrons % 2;
  double const largest = 4 * pairs + single - static_cast<double>(p.electrons) * p.electrons / p.sites;
  shift_ = 2 * p.hopping * p.electrons + p.coupling * p.coupling * p.frequency * largest + p.frequency;
}

void HolsteinHubbard::number_phonons(std::vector<int>& state, int mode, int left) {
  if (mode == modes_) {
    quanta_.push_back(state);
    return;
  }
  for (int n = 0; n <= left; ++n) {
    state[static_cast<std::size_t>(mode)] = n;
    number_phonons(state, mode + 1, left - n);
  }
}

std::pair<GlobalIndex, double>* HolsteinHubbard::fill(GlobalIndex i,
                                                      std::pair<GlobalIndex, double>* next) const {
  auto const& p = parameters_;
  auto const phonon = static_cast<std::size_t>(i % phonons());
  auto const electrons = static_cast<std::size_t>(i / phonons());
  auto const down_states = down_.sites.size();
  auto const up = electrons / down_states, down = electrons % down_states;
  auto const& quanta = quanta_[phonon];
  int const pairs = count_bits(up_.sites[up] & down_.sites[down]);
  int const vibrations = std::accumulate(quanta.begin(), quanta.end(), 0);
  *next++ = {i, shift_ + p.repulsion * pairs + p.frequency * vibrations};
  auto const electron_hops = [&](auto const& hops, GlobalIndex distance, std::size_t from) {
    for (auto const& [to, sign] : hops)
      *next++ = {i + (to - static_cast<GlobalIndex>(from)) * distance, -p.hopping * sign};
  };
  if (p.hopping > 0) {
    electron_hops(up_.hops[up], down_.states() * phonons(), up);
    electron_hops(down_.hops[down], phonons(), down);
  }
  for (std::size_t m = 0; m < quanta.size(); ++m) {
    double const coupled = coupled_[electrons * quanta.size() + m];
    auto const to = [&](Index other, int larger) {
      if (coupled != 0 && other >= 0)
        *next++ = {i + other - static_cast<GlobalIndex>(phonon), coupled * std::sqrt(larger)};
    };
    to(raised_[phonon * quanta.size() + m], quanta[m] + 1);
    to(lowered_[phonon * quanta.size() + m], quanta[m]);
  }
  return next;
}

}  // namespace Tessera::gallery
