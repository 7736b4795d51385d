#pragma once
/// \file
/// Classical coarsening: some vertices are the coarse ones, and the others are interpolated from them.
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "aggregation/pmis.hpp"
#include "core/archive.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "galerkin/classical_interpolation.hpp"
#include "multigrid/facts.hpp"

namespace Tessera::multigrid {

inline bool is_classical(Parameters const& parameters) {
  return parameters.coarsening == CoarseningType::classical;
}

/// P by matrix-based extended interpolation, in two stages where coarsening is aggressive. Aggregates are
/// single coarse vertices, T is injection.
template <class Space>
class Classical {
 public:
  static constexpr bool by_aggregates = false;

  /// What archive() fills.
  explicit Classical(Parameters const& parameters) : parameters_(parameters.classical) {}
  /// strong: entries of A, as aggregation::DependenceGraph has them. first: of the first of two PMIS.
  Classical(Parameters const& parameters, Array<unsigned char, Space> strong,
            std::optional<galerkin::Tentative<Space>> first)
      : Classical(parameters) {
    strong_ = std::move(strong);
    if (first) stages_.emplace().first = std::move(*first);
  }

  bool is_plain() const { return entries_ > 0; }
  /// One entry a row: R A P has no more entries than A.
  void make_plain(double entries) {
    entries_ = entries;
    reached_ = {};
    if (stages_) stages_->reached[0] = {}, stages_->reached[1] = {};
  }
  std::string plain_reason() const {
    if (!is_plain()) return "";
    return core::message("R A P would have about ", std::round(entries_),
                         " entries, for which the hierarchy has no room; rows of P have one entry there (a ",
                         "larger `classical: strong threshold` or fewer `classical: max row entries` make ",
                         "coarse rows shorter)");
  }
  /// P has it at coarse vertices.
  void take_nullspace(Space const&, LevelFacts<Space> const&, Array<double, Space>) {}

  comm::DistCsr<double, Space> make(Space const& space, LevelFacts<Space> const& fine,
                                    galerkin::Tentative<Space> const& T, bool keep) {
    check_size(*fine.A);
    auto how = parameters_;
    if (is_plain()) how.most_entries = 1;
    if (stages_)
      return galerkin::two_stage_interpolation(space, *fine.A, strong_.view(), T, fine.ids.view(), how,
                                               reached_, *stages_, keep);
    return galerkin::classical_interpolation(space, *fine.A, strong_.view(), T, fine.ids.view(), how,
                                             reached_, keep ? &plan_ : nullptr);
  }
  void refresh(Space const& space, LevelFacts<Space> const& fine, galerkin::Tentative<Space> const&,
               comm::DistCsr<double, Space>& P) {
    if (stages_)
      return galerkin::refresh_two_stage_interpolation(space, *fine.A, strong_.view(), *stages_, P);
    galerkin::refresh_classical_interpolation(space, *fine.A, strong_.view(), plan_, P);
  }
  std::size_t bytes() const {
    return strong_.bytes() + reached_.bytes() + plan_.bytes() + (stages_ ? stages_->bytes() : 0);
  }
  /// What was decided; the plan is made by refreshes.
  void archive(core::Archive& file, Space const& space, LevelFacts<Space> const& fine,
               galerkin::Tentative<Space> const& T) {
    auto& [parameters, entries, strong, reached, plan, stages] = *this;
    static_cast<void>(parameters), static_cast<void>(plan);
    bool two_stages = stages.has_value();
    file(entries, two_stages);
    comm::require_same_on_ranks(file, fine.A->rows.comm(), entries, two_stages);
    // A file holds a coarse matrix without the entries that are zero; a refresh has all of them.
    auto const least = fine.A->local.column.size();
    file.array(space, strong, [&](Span<unsigned char const> all) {
      file.require(all.size() >= least, "there are ", all.size(), " marks of strong entries for ", least,
                   " entries");
      for (auto const mark : all) file.require(mark <= 1, "marks of strong entries: one is ", int{mark});
    });
    require_own(file, space, T);
    reached.archive(file, space, T.coarse_rows, T.aggregate.size());
    if (!two_stages) return;
    if (!stages) stages.emplace();
    auto& first = stages->first;
    first.archive(file, space, fine.A->rows, 1, 1, true);
    require_own(file, space, first);
    stages->reached[0].archive(file, space, first.coarse_rows, first.aggregate.size());
    stages->reached[1].archive(file, space, T.coarse_rows, first.coarse_rows.local_size());
  }

 private:
  /// A coarse node is one of its rank's nodes.
  static void require_own(core::Archive const& file, Space const& space,
                          galerkin::Tentative<Space> const& T) {
    if (file.saves()) return;
    auto const begin = T.coarse_rows.begin(), end = T.coarse_rows.end();
    for (auto const number : core::to_vector(space, T.aggregate.view()))
      file.require(number < 0 || (begin <= number && number < end), "a node of this rank is the coarse node ",
                   number, " of another rank");
  }
  void check_size(comm::DistCsr<double, Space> const& A) const {
    comm::agree_on_errors(A.rows.comm(), [&] {
      TESSERA_VALIDATE(strong_.size() == A.local.column.size(), "there are ", strong_.size(),
                       " marks of strong entries for ", A.local.column.size(),
                       " entries of a coarse matrix; the setup was loaded from another file, compute it ",
                       "again");
    });
  }

  galerkin::ClassicalParameters parameters_;
  double entries_ = 0;                          ///< of R A P, where these were too many
  Array<unsigned char, Space> strong_;          ///< entries of A
  galerkin::ReachedAggregates<Space> reached_;  ///< the pattern of P
  galerkin::ClassicalPlan<Space> plan_;
  std::optional<galerkin::TwoStages<Space>> stages_;  ///< instead of plan_, where coarsening is aggressive
};

/// 1 at coarse vertices.
struct InjectBody {
  GlobalIndex const* coarse;
  GlobalIndex first;
  double const* B;
  double *T, *of_coarse;
  TESSERA_HD void operator()(Index i) const {
    T[i] = coarse[i] >= 0 ? 1.0 : 0.0;
    if (coarse[i] >= 0) of_coarse[coarse[i] - first] = B[i];
  }
};

/// T of one vector that is not of ones, which is injected.
template <class Space>
galerkin::Tentative<Space> injection(Space const& space, aggregation::Aggregates<Space>& coarse,
                                     Span<double const> B) {
  galerkin::Tentative<Space> T;
  comm::agree_on_errors(coarse.coarse.comm(), [&] {
    T.value = Array<double, Space>(space, coarse.aggregate.size());
    T.coarse_nullspace = Array<double, Space>(space, coarse.coarse.local_size());
    core::for_each(space, T.value.size(),
                   InjectBody{coarse.aggregate.data(), coarse.coarse.begin(), B.data(), T.value.data(),
                              T.coarse_nullspace.data()});
  });
  T.coarse_rows = coarse.coarse;
  T.aggregate = std::move(coarse.aggregate);
  return T;
}

/// Dependences and coarse vertices. Found: Aggregation<Space>. Collective. \throws core::InvalidInput for
/// several unknowns a node or several vectors
template <class Found, class Space, class Timed>
Found split(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters,
            Timed const& timed) {
  TESSERA_VALIDATE(fine.equations == 1, "classical coarsening of ", fine.equations,
                   " unknowns a node (it interpolates one unknown a node); take `multigrid algorithm` = ",
                   "rootnode or sa for systems");
  TESSERA_VALIDATE(fine.vectors == 1, "classical coarsening with ", fine.vectors,
                   " near-nullspace vectors (it interpolates one, the constant); take `multigrid algorithm` ",
                   "= rootnode or sa, or give one vector");
  Found found;
  aggregation::DependenceGraph<Space> graph;
  timed("strength", [&] {
    graph =
        aggregation::dependence(space, *fine.A, fine.diagonal.view(), parameters.classical.strong_threshold);
  });
  timed("aggregation", [&] {
    auto const ids = fine.ids.view();
    int const seed = parameters.aggregation.seed;
    std::optional<galerkin::Tentative<Space>> first;
    found.aggregates = aggregation::pmis(space, graph, ids, seed);
    if (fine.level < parameters.classical.aggressive_levels) {
      auto all = std::move(found.aggregates);
      found.aggregates = aggregation::pmis(space, graph, ids, seed, &all);
      first = galerkin::indicator(all.coarse, std::move(all.aggregate));
      first->on_one_rank = fine.A->rows.on_one_rank_with(first->coarse_rows);
    }
    found.prolongation = Classical<Space>(parameters, std::move(graph.strong), std::move(first));
  });
  return found;
}

}  // namespace Tessera::multigrid
