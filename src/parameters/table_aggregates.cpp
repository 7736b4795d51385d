#include "parameters/table_rows.hpp"

// Rows as in table.cpp.
namespace Tessera::parameters {

using aggregation::AggregationScheme;
using aggregation::DropScheme;
using aggregation::RootOrder;

namespace {

/// What Bernaschi et al. 2019 do not have: 0 leaves each out.
template <class Only>
void matching_rules(Section& row, Only const& with_matching) {
  row.real("matching: least quotient", MG(aggregation.matching.least_quotient), 0, 1,
           "From the second matching on, vertices whose difference has a smaller Rayleigh quotient in D^-1 A "
           "do not match: smoothing could not part them again. 0: all may.",
           with_matching);
  row.real("matching: first weight", MG(aggregation.matching.first_weight), 0, 2,
           "The first matching of the finest level takes edges that weigh more, on the paper's scale of "
           "above 0 to 2.",
           with_matching);
  row.real("matching: first share", MG(aggregation.matching.first_share), 0, 1,
           "It leaves those out that have less than this share, above weight 1, of the heaviest edge of an "
           "end; nodes of one unknown. 0: none.",
           with_matching);
  row.real(
      "matching: smoothing share", MG(aggregation.matching.smoothing_share), 0, 1,
      "Edges with less than this share at both ends do not smooth P on the finest level, nor do those of "
      "weight 1 and less; nodes of one unknown. 0: all do that the drop tolerance keeps.",
      with_matching);
}

}  // namespace

void aggregates(std::vector<Parameter>& rows) {
  Section row(rows, "Strength and aggregation", only_with_levels());
  row.real("aggregation: drop tol", MG(strength.drop_tolerance), 0, 1,
           "Couplings weaker than this (theta) are dropped before nodes are aggregated.", from("MueLu"),
           also("aggregation: threshold"));
  row.real("aggregation: drop tol scaling", MG(drop_tolerance_scaling), 0, 1,
           "Factor on the drop tolerance from each level to the next coarser one.",
           from("ML, which halves it"));
  row.choice(
      "aggregation: drop scheme", MG(strength.scheme),
      {{"classical", DropScheme::classical},
       {"signed classical", DropScheme::signed_classical},
       {"signed symmetric", DropScheme::signed_symmetric},
       {"distance laplacian", DropScheme::distance_laplacian},
       {"cut-drop", DropScheme::cut}},
      "When a_ij is strong: |a_ij| > theta sqrt(|a_ii a_jj|); -a_ij >= theta max_k(-a_ik) in "
      "either direction; -a_ij > theta sqrt(|a_ii a_jj|); the first one on the Laplacian of "
      "inverse squared distances (needs coordinates; below the finest level, which has none, classical); or "
      "where either row, its |a_ij| / sqrt(|a_ii a_jj|) sorted, has it before the first that is below theta "
      "times the one before.",
      from("MueLu"));
  row.choice(
      "aggregation: distance laplacian metric", MG(strength.material),
      {{"unweighted", false}, {"material", true}},
      "Squared distances as they are; or (x_i - x_j)^T K^-1 (x_i - x_j), the larger of both nodes', with "
      "the materials K of `user data` -> Material: a number a node, or a tensor.",
      from("MueLu"),
      only({algorithms_text(true) + " and aggregation: drop scheme = distance laplacian",
            [](Draft const& draft) {
              return method_for(draft.settings.algorithm).has_levels &&
                     draft.settings.multigrid.strength.scheme == DropScheme::distance_laplacian;
            }}));
  row.real(
      "aggregation: row sum drop tol", MG(strength.row_sum_tolerance), -1, 1,
      "A row with |sum_j a_ij| > this times a_ii, which its mass dominates, is a Dirichlet row too, on each "
      "level: smoothing is enough there. One equation a node. 0 and less: none is.",
      from("MueLu"));
  row.real("aggregation: Dirichlet threshold", MG(strength.dirichlet_threshold), 0, largest,
           "A row whose off-diagonals are all at most this times a_ii is a Dirichlet row and stays out "
           "of coarse levels.",
           from("MueLu"));
  row.boolean("aggregation: coupled", MG(strength.coupled),
              "Aggregates may cross ranks; they then do not depend on the number of ranks. false: nodes of "
              "different ranks join only once `repartition: min rows per proc` has gathered their level.");
  row.integer("aggregation: seed", MG(aggregation.seed), 0, 2147483647,
              "Seed of the hash that breaks ties between nodes.");
  row.choice(
      "aggregation: type", MG(aggregation.scheme),
      {{"mis2", AggregationScheme::mis2},
       {"paa", AggregationScheme::paa},
       {"matching", AggregationScheme::matching}},
      "Roots that are a maximal independent set of distance two, with their neighbours and what is left "
      "over; centres of high degree with their neighbours, in rounds until all are covered (PAA, with "
      "`aggregation: drop tol` = 0 as published); or pairs of pairs by compatible weighted matching.",
      from("MueLu, with other values"));
  auto const with = [](AggregationScheme wanted, std::string const& name) {
    return only({algorithms_text(true) + " and aggregation: type = " + name, [wanted](Draft const& draft) {
                   return method_for(draft.settings.algorithm).has_levels &&
                          draft.settings.multigrid.aggregation.scheme == wanted;
                 }});
  };
  auto const with_paa = with(AggregationScheme::paa, "paa");
  row.integer(
      "aggregation: max agg size", MG(aggregation.largest), 0, 1000,
      "Nodes of an aggregate at most, in each pass: its centre and those that come first; nodes with one "
      "neighbour that are left alone go with it beyond that. 0: any number.",
      from("MueLu"), with_paa);
  row.integer("aggregation: passes", MG(aggregation.passes), 1, 10,
              "Passes that make one level, each among the aggregates of the one before; fewer where "
              "`aggregation: skip ratio` says so.",
              with_paa);
  row.real("aggregation: skip ratio", MG(aggregation.skip_ratio), 0, 1000,
           "A further pass, which skips the level that the one before would make, is made only where that "
           "level's nodes times this are more than the nodes of the level that is coarsened. 0: always.",
           with_paa);
  row.integer("aggregation: aggressive levels", MG(aggregation.aggressive_levels), 0, 64,
              "On so many levels, from the finest on, all the passes are made; one on the others.",
              from("AmgX"), with_paa);
  auto const with_matching = with(AggregationScheme::matching, "matching");
  row.integer(
      "matching: steps", MG(aggregation.matchings), 1, 6,
      "Matchings that make the first coarse level, each among the pairs of the one before: aggregates of "
      "up to 2^steps nodes.",
      with_matching);
  row.integer("matching: coarse steps", MG(aggregation.coarse_matchings), 1, 6,
              "Matchings that make each further level, and the first where the matrix that the last of its "
              "matchings saw has more than 0.45 of the entries, or 24 a row, as on 7- and 27-point stencils.",
              with_matching);
  matching_rules(row, with_matching);
  row.integer("bootstrap: components", MG(bootstrap.components), 1, 20,
              "Hierarchies at most that are composed symmetrically, each for the error that those before it "
              "reduce least; 1: a hierarchy alone.",
              with_matching);
  auto const with_bootstrap =
      only({algorithms_text(true) + " and aggregation: type = matching and bootstrap: components > 1",
            [](Draft const& draft) {
              auto const& levels = draft.settings.multigrid;
              return method_for(draft.settings.algorithm).has_levels &&
                     levels.aggregation.scheme == AggregationScheme::matching &&
                     levels.bootstrap.components > 1;
            }});
  row.real(
      "bootstrap: convergence rate", MG(bootstrap.convergence_rate), 0, 1,
      "No further hierarchy is made where the composite reduces its slowest error by this factor, in the "
      "A norm.",
      above_lowest, below_highest, with_bootstrap);
  row.integer("bootstrap: sweeps", MG(bootstrap.sweeps), 1, 1000,
              "Of the composite on A x = 0, which bring that error out.", with_bootstrap);
  auto const with_mis2 = with(AggregationScheme::mis2, "mis2");
  row.choice("aggregation: order", MG(aggregation.order),
             {{"hash", RootOrder::hash}, {"front", RootOrder::front}},
             "Which nodes become roots first: by lot; or those at distance three of a root, so that roots "
             "spread from a few and lie close, three nodes apart on lines.",
             with_mis2);
  row.integer("aggregation: extra phases", MG(aggregation.extra_phases), 0, 10,
              "How often roots are sought again among the nodes that the first roots leave over.", with_mis2);
  row.integer("aggregation: extra degree", MG(aggregation.extra_degree), 1, 1000,
              "A left-over node can become a root where at least so many left-over nodes are around it, "
              "itself counted.",
              with_mis2);
  row.integer("aggregation: reshaping steps", MG(aggregation.reshaping_steps), 0, 100,
              "How often pairs of adjacent aggregates of together at most 16 nodes are divided anew, so that "
              "the coarse level approximates the smoother's slowest error best.");
}

}  // namespace Tessera::parameters
