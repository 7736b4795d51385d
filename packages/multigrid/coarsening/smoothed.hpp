#pragma once
/// \file
/// Smoothed aggregation: P = (I - omega D_F^-1 A_F) T.
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "galerkin/prolongator.hpp"
#include "multigrid/coarsening/unsmoothed.hpp"
#include "multigrid/facts.hpp"
#include "multigrid/node_data.hpp"

namespace Tessera::multigrid {

/// The number of weak entries among the entries 8 w to 8 w + 7.
struct WeakEntries {
  Span<unsigned char const> strong;
  TESSERA_HD Offset operator()(Index w) const {
    Offset weak = 0;
    std::size_t const begin = std::size_t{8} * w, rest = strong.size() - begin;
    for (std::size_t k = begin; k < begin + (rest < 8 ? rest : 8); ++k) weak += strong[k] == 0 ? 1 : 0;
    return weak;
  }
};

/// Numbers on the space.
struct SmoothingNumbers {
  double filtered_bound = HUGE_VAL;  ///< of rho(D_F^-1 A_F), by Gershgorin, if A_F differs from A
  double omega = 0;
};

/// omega = damping / rho. rho is the Lanczos estimate for A, bounded by the row sums of A and of A_F. A
/// Lanczos run on A_F would add half of the work. A rotated anisotropy (pi/8; rho is 2.5 for A, at most 2 for
/// A_F) takes 48 iterations without the row sums of A_F, 41 with them, and 40 with a run on A_F. Other
/// problems take the same number each way.
struct FindOmega {
  LevelNumbers const* level;
  SmoothingNumbers* numbers;
  double given, damping;
  TESSERA_HD void operator()(Index) const {
    auto const smaller = [](double a, double b) { return b < a ? b : a; };
    double const rho = given > 0 ? given : smaller(level->estimate, level->checks.bound);
    numbers->omega = damping / smaller(rho, numbers->filtered_bound);
  }
};

/// P = T if a row of P reaches more aggregates than this on average. On grids and meshes a row reaches 2
/// to 9. In a small-world graph each neighbour is in another aggregate, the cost of R A P grows with the
/// square of the row length, and the coarse matrix is dense. Such graphs need few iterations with P = T
/// (Napov, Notay 2016).
constexpr double max_reached = 20;

template <class Space>
class Smoothed {
 public:
  static constexpr bool by_aggregates = false;

  /// For archive() to load.
  Smoothed(Space const& space, int level, Parameters const& parameters)
      : filter_(parameters.filter),
        damping_(parameters.prolongator_damping),
        given_radius_(given_radius(level, parameters)),
        numbers_(core::to_space(space, std::vector<SmoothingNumbers>(1))) {}
  /// strong: marks of the entries of A, from the strength graph.
  Smoothed(Space const& space, LevelFacts<Space> const& fine, Array<unsigned char, Space> strong,
           Parameters const& parameters)
      : Smoothed(space, fine.level, parameters) {
    if (filter_.filtered) strong_ = std::move(strong);
  }

  /// nullspace: B of fine. Decides whether A_F differs from A; then keeps the part that lumping needs:
  /// nothing if B is a vector of ones, the first vector if a node has one unknown, else all. Collective.
  void take_nullspace(Space const& space, LevelFacts<Space> const& fine, Array<double, Space> nullspace) {
    if (!filter_.filtered) return;
    auto const& [rows, halo, local, user_row] = *fine.A;
    auto const weak = core::sum(space, (strong_.size() + 7) / 8, WeakEntries{strong_.view()});
    int const vectors = fine.constant ? 0 : fine.equations > 1 ? fine.vectors : 1;
    Array<double, Space> first(space, vectors == 1 && fine.vectors > 1 ? local.rows : 0);
    Array<double, Space> of_ghosts(space, static_cast<std::size_t>(halo.ghost_count()) * vectors);
    filtered_ = rows.comm().any(weak > 0);
    if (!filtered_) strong_ = {};
    if (!filtered_ || fine.constant) return;
    equations_ = fine.equations;
    vectors_ = vectors;
    core::for_each(space, first.size(), CopyVector{nullspace.data(), fine.vectors, 0, first.data()});
    B_ = vectors < fine.vectors ? std::move(first) : std::move(nullspace);
    B_of_ghosts_ = std::move(of_ghosts);
    std::optional<comm::NoErrorSync> agreed;
    if (vectors_ == 1) agreed.emplace(rows.comm());  // the plan has room for the exchange
    halo.exchange(space, B_.view(), B_of_ghosts_.span(), vectors_);
  }

  /// The first call decides which rows are lumped.
  comm::DistCsr<double, Space> make(Space const& space, LevelFacts<Space> const& fine,
                                    galerkin::Tentative<Space> const& T, bool keep) {
    auto const filtered = filter(space, fine);
    bool const first = !std::exchange(measured_, true);
    auto const made = [&](galerkin::Damping omega, GlobalIndex* entries) {
      return galerkin::prolongator(space, *fine.A, filtered.entries,
                                   filtered_ ? filtered.diagonal.view() : fine.diagonal.view(), T, omega,
                                   keep ? &plan_ : nullptr, entries);
    };
    if (is_plain()) return made(0.0, nullptr);
    GlobalIndex entries = 0;
    auto P = made(omega(), first ? &entries : nullptr);
    if (!first) return P;
    double const reached =
        static_cast<double>(entries) / (static_cast<double>(fine.A->rows.global_size()) * T.vectors);
    if (reached <= max_reached) return P;
    plain_.reached = reached;
    return made(0.0, nullptr);
  }
  void refresh(Space const& space, LevelFacts<Space> const& fine, galerkin::Tentative<Space> const& T,
               comm::DistCsr<double, Space>& P) {
    auto const filtered = filter(space, fine);
    galerkin::refresh_prolongator(space, *fine.A, filtered.entries,
                                  filtered_ ? filtered.diagonal.view() : fine.diagonal.view(), T, omega(),
                                  plan_, P);
  }
  bool is_plain() const { return plain_.given(); }
  void make_plain(double entries) { plain_.entries = entries; }
  std::string plain_reason() const { return plain_.text(); }
  std::size_t bytes() const {
    return strong_.bytes() + lumped_.bytes() + B_.bytes() + B_of_ghosts_.bytes() + plan_.bytes();
  }
  /// Stores decisions. Parameters are those of the list; refreshes make numbers and plan.
  void archive(core::Archive& file, Space const& space, LevelFacts<Space> const& fine,
               galerkin::Tentative<Space> const&) {
    auto& [filter, damping, given, filtered, decided, measured, plain, strong, lumped, equations, vectors, B,
           B_of_ghosts, numbers, plan] = *this;
    file(filtered, decided, measured, equations, vectors);
    plain.archive(file);
    comm::require_same_on_ranks(file, fine.A->rows.comm(), filtered, decided, measured, equations, vectors,
                                plain.reached, plain.entries);
    bool const keeps_B = filtered && !fine.constant;
    int const of_node = keeps_B ? fine.equations : 1, of_B = of_node > 1 ? fine.vectors : 1;
    file.require(equations == of_node && vectors == of_B, "a filter of ", equations, " rows a node and ",
                 vectors, " vectors, where there should be ", of_node, " and ", of_B);
    auto const rows = static_cast<std::size_t>(fine.A->local.rows);
    auto const marks = [&](Array<unsigned char, Space>& array, int most, char const* what, auto const& fits) {
      file.array(space, array, [&](Span<unsigned char const> all) {
        fits(all);
        for (auto const mark : all) file.require(mark <= most, what, ": one is ", int{mark});
      });
    };
    // The file's coarse matrix lacks entries that are zero. A refresh has all entries and checks their
    // number.
    bool const filters = filtered;
    auto const entries = filters ? fine.A->local.column.size() : 0, decided_rows = decided ? rows : 0;
    marks(strong, 1, "marks of strong entries", [&](Span<unsigned char const> all) {
      file.require(filters ? all.size() >= entries : all.empty(), "there are ", all.size(),
                   " marks of strong entries for ", entries, " entries");
    });
    marks(lumped, filtered ? 1 : 0, "marks of lumped rows", [&](Span<unsigned char const> all) {
      core::require_size(file, all, decided_rows, "marks of lumped rows");
    });
    auto const vectors_at = [&](Array<double, Space>& array, std::size_t of_rows) {
      file.array(space, array, [&](Span<double const> all) {
        core::require_size(file, all, keeps_B ? of_rows * static_cast<std::size_t>(of_B) : 0,
                           "entries of a near-nullspace");
        core::require_finite(file, all, "entries of a near-nullspace");
      });
    };
    vectors_at(B, rows);
    vectors_at(B_of_ghosts, static_cast<std::size_t>(fine.A->halo.ghost_count()));
  }

 private:
  /// A_F; its arrays are empty if A_F = A.
  struct Filtered {
    Array<double, Space> diagonal, blocks;
    galerkin::FilteredEntries entries;
  };
  galerkin::Damping omega() const { return galerkin::Damping::at(&numbers_.data()->omega); }

  /// A_F and omega for the present values of A.
  Filtered filter(Space const& space, LevelFacts<Space> const& fine) {
    auto const rows = static_cast<std::size_t>(fine.A->local.rows);
    bool const first = !std::exchange(decided_, true);
    if (first) lumped_ = Array<unsigned char, Space>(space, rows);
    if (first && !filtered_) core::fill(space, lumped_.span(), 0);
    Filtered found{Array<double, Space>(space, filtered_ ? rows : 0),
                   Array<double, Space>(space, filtered_ && equations_ > 1 ? rows * equations_ : 0),
                   {strong_.view(), lumped_.view()}};
    if (filtered_) lump(space, *fine.A, first, found);
    if (equations_ > 1) {
      found.entries.blocks = found.blocks.view();
      found.entries.equations = equations_;
    }
    core::for_each(space, 1, FindOmega{fine.numbers, numbers_.data(), given_radius_, damping_});
    return found;
  }

  void lump(Space const& space, comm::DistCsr<double, Space> const& A, bool decides, Filtered& found) {
    auto* const bound = &numbers_.data()->filtered_bound;
    auto const strong = strong_.view();
    TESSERA_VALIDATE(strong.size() == A.local.column.size(), "there are ", strong.size(),
                     " marks of strong entries for ", A.local.column.size(),
                     " entries of a coarse matrix; the setup was loaded from another file, compute it again");
    auto const own = static_cast<Index>(B_.size() / vectors_);
    if (equations_ > 1) {
      galerkin::KeptVectors const B{B_.data(), B_of_ghosts_.data(), own, vectors_};
      return galerkin::filtered_blocks(space, A, strong, filter_, B, equations_, decides, found.blocks.span(),
                                       found.diagonal.span(), lumped_.span(), bound);
    }
    galerkin::KeptVector const B{B_.data(), B_of_ghosts_.data(), own};
    if (decides) {
      galerkin::filtered_diagonal(space, A, strong, filter_, B, found.diagonal.span(), lumped_.span(), bound);
    } else {
      galerkin::refresh_filtered_diagonal(space, A, strong, lumped_.view(), B, found.diagonal.span(), bound);
    }
  }

  galerkin::FilterParameters filter_;
  double damping_, given_radius_;
  bool filtered_ = false, decided_ = false, measured_ = false;
  PlainReason plain_;
  Array<unsigned char, Space> strong_;  ///< only when filtered_
  Array<unsigned char, Space> lumped_;
  int equations_ = 1, vectors_ = 1;
  Array<double, Space> B_, B_of_ghosts_;  ///< only when filtered_ and B is not a vector of ones
  Array<SmoothingNumbers, Space> numbers_;
  galerkin::ProlongatorPlan<Space> plan_;
};

}  // namespace Tessera::multigrid
