#include "settings/table_rows.hpp"

// The rows on strength and aggregation.
namespace Tessera::settings {

using aggregation::AggregationScheme;
using aggregation::DropScheme;

namespace {

/// Rules beyond those of Bernaschi et al. 2019; 0 switches each off.
template <class Only>
void matching_rules(Section& row, Only const& with_matching) {
  row.real("matching: least quotient", MG(aggregation.matching.least_quotient), 0, 1,
           "From the second matching on, two vertices do not match if the Rayleigh quotient of "
           "their difference in D^-1 A is smaller: smoothing hardly reduces such a difference. 0: "
           "all may match.",
           with_matching);
  row.real("matching: first weight", MG(aggregation.matching.first_weight), 0, 2,
           "The first matching of the finest level takes edges of larger weight. Weights are 1 - "
           "2 a_ij w_i w_j / (a_ii w_i^2 + a_jj w_j^2), above 0 to 2.",
           with_matching);
  row.real("matching: first share", MG(aggregation.matching.first_share), 0, 1,
           "The first matching skips edges whose weight above 1 is less than this share of the "
           "heaviest edge at an end; nodes of one unknown. 0: none.",
           with_matching);
  row.real("matching: smoothing share", MG(aggregation.matching.smoothing_share), 0, 1,
           "On the finest level, edges with less than this share at both ends, and edges of "
           "weight 1 and less, do not smooth P; nodes of one unknown. 0: all edges above the drop "
           "tolerance smooth P.",
           with_matching);
}

}  // namespace

void classical(std::vector<Parameter>& rows) {
  Section row(rows, "Classical coarsening",
              only({std::string(algorithm_name) + " = classical",
                    WHEN(draft.settings.algorithm == Algorithm::classical)}));
  row.real("classical: strong threshold", MG(classical.strong_threshold), 0, 1,
           "Node i depends on j if -a_ij is at least this share of the largest -a_ik of its row.",
           from("hypre, which calls it strong threshold"));
  row.integer("classical: max row entries", MG(classical.most_entries), 0, 1000,
              "Largest number of entries in a row of P. The largest entries stay, scaled to the row's "
              "sum. 0: all.",
              from("hypre, which calls it P max elements"));
  row.real("classical: truncation", MG(classical.truncation), 0, 1,
           "A row of P drops entries below this share of its largest one and is scaled to its sum.",
           from("hypre, which calls it truncation factor"), excluding_highest);
  row.integer("classical: aggressive levels", MG(classical.aggressive_levels), 0, 64,
              "Levels, from the finest on, with a second PMIS. Their P is the product of two interpolations.",
              from("hypre, which calls it agg num levels"));
}

void aggregates(std::vector<Parameter>& rows) {
  Section row(rows, "Strength and aggregation", only_with_aggregates());
  row.real("aggregation: drop tol", MG(strength.drop_tolerance), 0, 1,
           "Couplings weaker than this (theta) are dropped before nodes are aggregated.", from("MueLu"),
           also("aggregation: threshold"));
  row.real("aggregation: drop tol scaling", MG(drop_tolerance_scaling), 0, 1,
           "Factor on the drop tolerance from each level to the next coarser one.",
           from("ML, which halves it"));
  row.choice("aggregation: drop scheme", MG(strength.scheme),
             {{"classical", DropScheme::classical},
              {"signed classical", DropScheme::signed_classical},
              {"signed symmetric", DropScheme::signed_symmetric},
              {"distance laplacian", DropScheme::distance_laplacian},
              {"cut-drop", DropScheme::cut}},
             "When a_ij is strong. classical: |a_ij| > theta sqrt(|a_ii a_jj|). signed classical: "
             "-a_ij >= theta max_k(-a_ik) in either direction. signed symmetric: -a_ij > theta "
             "sqrt(|a_ii a_jj|). distance laplacian: classical on the Laplacian of inverse squared "
             "distances (needs coordinates; coarse levels use classical). cut-drop: in either row, "
             "sorted by |a_ij| / sqrt(|a_ii a_jj|), before the first value below theta times the "
             "previous one.",
             from("MueLu"));
  row.choice("aggregation: distance laplacian metric", MG(strength.material),
             {{"unweighted", false}, {"material", true}},
             "unweighted: squared distances. material: (x_i - x_j)^T K^-1 (x_i - x_j), the larger "
             "value of both nodes, with K from `user data` -> Material, a number or a tensor a "
             "node.",
             from("MueLu"),
             only({algorithms_with_aggregates() + " and aggregation: drop scheme = distance laplacian",
                   [](Draft const& draft) {
                     return has_aggregates(draft.settings.algorithm) &&
                            draft.settings.multigrid.strength.scheme == DropScheme::distance_laplacian;
                   }}));
  row.real("aggregation: row sum drop tol", MG(strength.row_sum_tolerance), -1, 1,
           "A row with |sum_j a_ij| above this times a_ii is dominated by its mass and treated as "
           "a Dirichlet row on each level; smoothing solves for it. One equation a node. 0 and "
           "less: no row.",
           from("MueLu"));
  row.real("aggregation: Dirichlet threshold", MG(strength.dirichlet_threshold), 0, largest,
           "A row whose off-diagonals are all at most this times a_ii is a Dirichlet row and stays out "
           "of coarse levels.",
           from("MueLu"));
  row.boolean("aggregation: coupled", MG(strength.coupled),
              "Aggregates may cross ranks; they then do not depend on the number of ranks. false: nodes of "
              "different ranks join only once `repartition: min rows per proc` has gathered their level.");
  row.integer("aggregation: seed", MG(aggregation.seed), 0, 2147483647,
              "Seed of the hash that breaks ties between nodes.", only_with_levels());
  row.choice("aggregation: type", MG(aggregation.scheme),
             {{"mis2", AggregationScheme::mis2},
              {"paa", AggregationScheme::paa},
              {"matching", AggregationScheme::matching}},
             "mis2: roots of a maximal independent set of distance two, with their neighbours and "
             "the nodes left over. paa: centres of high degree with their neighbours, in rounds "
             "until all are covered (set `aggregation: drop tol` = 0 as published). matching: pairs "
             "of pairs by compatible weighted matching.",
             from("MueLu, with other values"));
  auto const with = [](AggregationScheme wanted, std::string const& name) {
    return only(
        {algorithms_with_aggregates() + " and aggregation: type = " + name, [wanted](Draft const& draft) {
           return has_aggregates(draft.settings.algorithm) &&
                  draft.settings.multigrid.aggregation.scheme == wanted;
         }});
  };
  auto const with_paa = with(AggregationScheme::paa, "paa");
  row.integer("aggregation: max agg size", MG(aggregation.largest), 0, 1000,
              "Largest number of nodes of an aggregate in each pass. A node whose only neighbour is "
              "taken joins its aggregate beyond that. 0: any number.",
              from("MueLu"), with_paa);
  row.integer("aggregation: passes", MG(aggregation.passes), 1, 10,
              "Passes that make one level, each on the aggregates of the previous pass. "
              "`aggregation: skip ratio` may reduce their number.",
              with_paa);
  row.real("aggregation: skip ratio", MG(aggregation.skip_ratio), 0, 1000,
           "A further pass skips the level of the previous pass. It is made only if the nodes of "
           "that level times this exceed the nodes of the level to be coarsened. 0: always.",
           with_paa);
  row.integer("aggregation: aggressive levels", MG(aggregation.aggressive_levels), 0, 64,
              "Number of levels, from the finest on, that make all passes; others make one.", from("AmgX"),
              with_paa);
  auto const with_matching = with(AggregationScheme::matching, "matching");
  row.integer("matching: steps", MG(aggregation.matchings), 1, 6,
              "Matchings that make the first coarse level, each on the pairs of the previous one: "
              "aggregates of up to 2^steps nodes.",
              with_matching);
  row.integer("matching: coarse steps", MG(aggregation.coarse_matchings), 1, 6,
              "Matchings that make each further level. They also make the first level if the matrix "
              "before its last matching has more than 0.45 of the entries, or 24 a row, as for 7- "
              "and 27-point stencils.",
              with_matching);
  matching_rules(row, with_matching);
  row.integer("bootstrap: components", MG(bootstrap.components), 1, 20,
              "Largest number of hierarchies in a symmetric composition, each made for the error "
              "that the previous ones reduce least. 1: a single hierarchy.",
              with_matching);
  auto const with_bootstrap =
      only({algorithms_with_aggregates() + " and aggregation: type = matching and bootstrap: components > 1",
            [](Draft const& draft) {
              auto const& levels = draft.settings.multigrid;
              return has_aggregates(draft.settings.algorithm) &&
                     levels.aggregation.scheme == AggregationScheme::matching &&
                     levels.bootstrap.components > 1;
            }});
  row.real("bootstrap: convergence rate", MG(bootstrap.convergence_rate), 0, 1,
           "No further hierarchy is made once the composite reduces its slowest error by this "
           "factor in the A norm.",
           excluding_lowest, excluding_highest, with_bootstrap);
  row.integer("bootstrap: sweeps", MG(bootstrap.sweeps), 1, 1000,
              "Sweeps of the composite on A x = 0 that find its slowest error.", with_bootstrap);
  auto const with_mis2 = with(AggregationScheme::mis2, "mis2");
  row.choice("aggregation: order", AT(order_by_front), {{"hash", false}, {"front", true}},
             "Which nodes become roots first: by random priority. front no longer has an effect; it is "
             "accepted with a warning.",
             with_mis2);
  row.integer("aggregation: extra phases", MG(aggregation.extra_phases), 0, 10,
              "How often further roots are chosen among the nodes that the first roots leave over.",
              with_mis2);
  row.integer("aggregation: extra degree", MG(aggregation.extra_degree), 1, 1000,
              "A left-over node can become a root if it has at least this many left-over nodes "
              "around it, including itself.",
              with_mis2);
  row.integer("aggregation: reshaping steps", MG(aggregation.reshaping_steps), 0, 100,
              "How often pairs of adjacent aggregates are divided again, so that the coarse level best "
              "approximates the smoother's slowest error. Pairs of more than 16 nodes stay as they "
              "are.");
}

}  // namespace Tessera::settings
