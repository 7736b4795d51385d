#include "parameters/table.hpp"

#include "multigrid/polynomial.hpp"
#include "parameters/table_rows.hpp"

// One row a parameter: the file is as long as there are parameters. Defaults are not repeated here: they are
// those of multigrid::Parameters and Settings.
namespace Tessera::parameters {
namespace {

using aggregation::AggregationScheme;
using comm::Overlap;
using multigrid::ChebyshevKind;
using multigrid::CoarseningType;
using multigrid::CoarseType;
using multigrid::CycleType;
using multigrid::MatrixFormat;
using multigrid::PreOrPost;
using multigrid::RefreshPreparation;
using sparse::SpgemmMethod;

/// Of Ifpack2::Factory, but for those that no matrix of numbers alone will do for.
char const* const ifpack2_types[]{"RELAXATION",
                                  "CHEBYSHEV",
                                  "RILUK",
                                  "ILUT",
                                  "SCHWARZ",
                                  "BLOCK_RELAXATION",
                                  "SPARSE_BLOCK_RELAXATION",
                                  "TRIDI_RELAXATION",
                                  "BANDED_RELAXATION",
                                  "DENSE",
                                  "AMESOS2",
                                  "DIAGONAL",
                                  "IDENTITY",
                                  "FAST_ILU",
                                  "FAST_IC",
                                  "FAST_ILDL",
                                  "MDF",
                                  "HYPRE"};

/// Choices that are kept as they are written.
template <std::size_t count>
std::vector<std::pair<std::string, std::string>> same_words(char const* const (&words)[count]) {
  std::vector<std::pair<std::string, std::string>> all;
  for (auto const* word : words) all.emplace_back(word, word);
  return all;
}

/// May stand in MueLu's sublist of the smoother.
constexpr auto in_smoother = in("smoother: params");

/// Between nodes of several equations the sign of a coupling says little: root nodes take smoothed
/// aggregation's strength there, unless the list says another.
void strength_of_nodes(Draft& draft) {
  auto& multigrid = draft.settings.multigrid;
  if (draft.settings.algorithm != Algorithm::root_nodes || multigrid.equations == 1) return;
  multigrid::Parameters const defaults;
  multigrid.strength = defaults.strength;
  multigrid.drop_tolerance_scaling = defaults.drop_tolerance_scaling;
}

void general(std::vector<Parameter>& rows) {
  Section row(rows, "General");
  row.choice(algorithm_name, AT(settings.algorithm), algorithms(),
             "Smoothed aggregation; unsmoothed aggregation with a K-cycle; aggregates by compatible weighted "
             "matching, with smoothed prolongators; root nodes, with prolongators of small energy; fsai is "
             "no multigrid but a factored sparse approximate "
             "inverse. Each has defaults of its own.",
             from("MueLu"));
  row.integer("max levels", MG(max_levels), 1, 64, "Largest number of levels, the finest included.",
              from("MueLu, ML"), only_with_levels());
  row.choice(
      "cycle type", MG(cycle),
      {{"V", CycleType::V}, {"W", CycleType::W}, {"F", CycleType::F}, {"K", CycleType::K}},
      "How each coarser level is solved: by one cycle (V), by two (W), by an F-cycle and a V-cycle (F), or "
      "by one or two flexible CG steps with a cycle each (K), which is not linear: solve with a flexible "
      "method, as TESSERA CG is by itself.",
      from("MueLu"), also("prec type", {{"MGV", "V"}, {"MGW", "W"}}), only_with_levels());
  row.integer("cycle: K levels", MG(k_levels), 1, 64,
              "On so many levels below the finest a K-cycle takes its steps; those below them have V-cycles. "
              "Each of them visits all below it twice.",
              only({algorithms_text(true) + " and cycle type = K", [](Draft const& draft) {
                      return method_for(draft.settings.algorithm).has_levels &&
                             draft.settings.multigrid.cycle == CycleType::K;
                    }}));
  row.integer(
      "cycle: applications", MG(applications), 1, 100,
      "So many cycles are one application of the preconditioner, each from the result of the last one; "
      "of a bootstrap, one application of each hierarchy.",
      from("ML"), also("cycle applications"), only_with_levels());
  row.choice(
      "problem: type", AT(settings.problem),
      {{"unknown", ProblemType::unknown},
       {"Poisson-2D", ProblemType::poisson_2d},
       {"Poisson-3D", ProblemType::poisson_3d},
       {"Elasticity-2D", ProblemType::elasticity_2d},
       {"Elasticity-3D", ProblemType::elasticity_3d}},
      "Preset: one equation a node, or 2 and 3 of elasticity, unless `number of equations` says another.",
      from("MueLu"), only_with_levels(), then([](Draft& draft) {
        auto const type = draft.settings.problem;
        draft.settings.multigrid.equations = type == ProblemType::elasticity_2d   ? 2
                                             : type == ProblemType::elasticity_3d ? 3
                                                                                  : 1;
        strength_of_nodes(draft);
      }));
  row.integer("number of equations", MG(equations), 1, 16,
              "Unknowns a node; consecutive rows belong to one node, and nodes are aggregated.",
              from("MueLu"), also("PDE equations"), only_with_levels(), then(strength_of_nodes));
  row.choice("reuse: type", AT(settings.reuse),
             {{"none", Reuse::none}, {"tP", Reuse::tentative}, {"full", Reuse::full}},
             "What setMatrix() keeps for the next compute() if the pattern is the same: nothing, the "
             "aggregates and patterns (values are refreshed), or the whole hierarchy as it is.",
             from("MueLu"));
  row.integer("reuse: excess iterations", AT(settings.excess_iterations), 0, 1000000,
              "What a setup costs, in iterations. Once solves with refreshed values have taken so many more "
              "than with the first ones, all together, or these so many more than after the setup, "
              "aggregates and patterns no longer fit, and the next compute() is a setup. 0: they are kept "
              "whatever that costs.");
  row.choice(
      "reuse: prepare refresh", MG(prepare_refresh),
      {{"second", RefreshPreparation::second}, {"first", RefreshPreparation::first}},
      "Which compute() makes and keeps what later ones need to bring new values quickly: patterns, where "
      "products go, and memory. Until then the aggregates are kept, and compute() is a setup with them.",
      retired({{"none", "second"},
               {"patterns", "second"},
               {"all", "first"},
               {"true", "second"},
               {"false", "second"}}));
  row.choice("verbosity", AT(settings.verbosity),
             {{"none", Verbosity::none},
              {"low", Verbosity::low},
              {"medium", Verbosity::medium},
              {"high", Verbosity::high},
              {"extreme", Verbosity::extreme}},
             "What compute() prints on rank 0: nothing, warnings, the hierarchy, also times by phase, "
             "everything that describe() knows.",
             from("MueLu"));
  row.boolean("timer for apply", AT(settings.timer_for_apply),
              "Count the time of apply() in a Teuchos timer.", from("Ifpack2"));
  row.choice(
      "tessera: strict", AT(settings.strict),
      {{"own", Strictness::own}, {"true", Strictness::all}, {"false", Strictness::nothing}},
      "Refuse unknown names, parameters without effect and other libraries' words without counterpart; "
      "true: those that have nothing to say, too; false: nothing of it. What is not refused is warned "
      "of, once.",
      also_boolean);
}

void prolongator(std::vector<Parameter>& rows) {
  Section row(rows, "Prolongator and coarse matrices", only_with_levels());
  Condition const smoothed{"multigrid algorithm = sa or matching",
                           WHEN(draft.settings.algorithm == Algorithm::smoothed ||
                                draft.settings.algorithm == Algorithm::matching)};
  row.real("sa: damping factor", MG(prolongator_damping), 0, 2,
           "P = (I - omega D^-1 A) T with omega = this / rho(D^-1 A); 0: unsmoothed.", from("MueLu"),
           also("aggregation: damping factor"), only(smoothed));
  auto const with_root_nodes = only(
      {std::string(algorithm_name) + " = rootnode", WHEN(draft.settings.algorithm == Algorithm::root_nodes)});
  row.integer("emin: pattern order", MG(energy.reach), 1, 4,
              "Strong couplings from a node to the aggregates in its row of P, at most.", from("MueLu"),
              with_root_nodes);
  row.real("emin: prefilter", MG(energy.prefilter), 0, 1,
           "Aggregates leave a row of P where a random walk along strong couplings, so many steps long, has "
           "less than this part of the likeliest one's share.",
           below_highest, with_root_nodes);
  row.integer("emin: num iterations", MG(energy.steps), 1, 100,
              "Steps of conjugate gradients that make the energy of P small.", from("MueLu"),
              with_root_nodes);
  row.boolean("tentative: calculate qr", MG(normalise_constant),
              "Orthonormalise T's columns in each aggregate also where P = T has one vector of ones, which "
              "stays ones else; all other columns are in any case.",
              from("MueLu"),
              only({"P = T (multigrid algorithm = unsmoothed, or sa: damping factor = 0)",
                    WHEN(method_for(draft.settings.algorithm).has_levels &&
                         (draft.settings.algorithm == Algorithm::unsmoothed ||
                          draft.settings.multigrid.prolongator_damping == 0))}));
  row.boolean("sa: use filtered matrix", MG(filter.filtered),
              "Smooth P with the matrix whose weak couplings are lumped into the diagonal.", from("MueLu"),
              only(smoothed));
  row.real("filtered matrix: keep above", MG(filter.keep_above), 0, 1,
           "Lump a row only where its filtered diagonal stays above this times a_ii.",
           only({smoothed.text + " and sa: use filtered matrix = true", [smoothed](Draft const& draft) {
                   return smoothed.holds(draft) && draft.settings.multigrid.filter.filtered;
                 }}));
  row.integer("sa: eigenvalue estimate num iterations", MG(eigenvalue_steps),
              multigrid::fewest_eigenvalue_steps, 200,
              "Lanczos steps for rho(D^-1 A), for prolongators and smoothers; fewer find so little of it "
              "that the preconditioner is not positive definite.",
              from("MueLu"), also("eigen-analysis: iterations"), also("chebyshev: eigenvalue max iterations"),
              in_smoother);
  row.real("chebyshev: boost factor", MG(eigenvalue_safety), 1, 10,
           "Factor on that estimate for smoothers, at least (polynomials that bear less above their "
           "interval take more); the result is capped by the largest absolute row sum.",
           from("Ifpack2"), in_smoother);
  row.real("sa: max eigenvalue", MG(max_eigenvalue), 1, largest,
           "rho(D^-1 A) of the finest level where it is known (it is never below 1, the eigenvalues' "
           "mean); -1: estimate it.",
           or_else(-1), from("MueLu"), also("chebyshev: max eigenvalue"), in_smoother);
  row.choice("spgemm: type", MG(spgemm), {{"hash", SpgemmMethod::hash}, {"esc", SpgemmMethod::esc}},
             "Sparse products by hash tables, or by expansion, sorting and compression.");
  row.integer(
      "repartition: min rows per proc", MG(rows_per_rank), 1, 1000000000,
      "Levels with fewer rows a rank are gathered onto fewer ranks; -1: with fewer than 2000 on a host, "
      "20000 on a GPU, and 2000 on both with `aggregation: coupled` = false.",
      or_else(-1), from("MueLu"));
}

void smoother(std::vector<Parameter>& rows) {
  Section row(rows, "Smoother", only_with_levels());
  Condition const relaxation{"smoother: type = RELAXATION",
                             WHEN(draft.smoother == SmootherFamily::relaxation)};
  Condition const polynomial{
      "smoother: type = CHEBYSHEV or FSAI",
      WHEN(draft.smoother == SmootherFamily::chebyshev || draft.smoother == SmootherFamily::fsai)};
  auto const with_ifpack2 =
      only({"smoother: type = IFPACK2", WHEN(draft.smoother == SmootherFamily::ifpack2)});
  row.choice("smoother: type", AT(smoother),
             {{"CHEBYSHEV", SmootherFamily::chebyshev},
              {"RELAXATION", SmootherFamily::relaxation},
              {"FSAI", SmootherFamily::fsai},
              {"IFPACK2", SmootherFamily::ifpack2}},
             "Chebyshev polynomials in D^-1 A, or a relaxation, or Chebyshev polynomials in G^T G A with "
             "the factored sparse approximate inverse G^T G of each level's A, or a preconditioner of "
             "Ifpack2's, on a host, where `backend: type` = auto stays then.",
             from("MueLu"), also("smoother: pre type"), also("smoother: post type"), then([](Draft& draft) {
               if (draft.smoother == SmootherFamily::fsai)
                 draft.settings.fsai = draft.settings.multigrid.smoother.fsai;
             }));
  row.choice("smoother: pre or post", MG(smoother.pre_or_post),
             {{"pre", PreOrPost::pre},
              {"post", PreOrPost::post},
              {"both", PreOrPost::both},
              {"none", PreOrPost::none}},
             "When to smooth; only `both` gives a symmetric preconditioner.", from("MueLu, ML"));
  row.integer("smoother: sweeps", MG(smoother.sweeps), 1, 100,
              "Relaxation sweeps, or how often the polynomial or Ifpack2's preconditioner is applied.",
              from("ML"), also("relaxation: sweeps"), in_smoother);
  row.choice("relaxation: type", AT(relaxation),
             {{"Jacobi", RelaxationType::jacobi}, {"L1-Jacobi", RelaxationType::l1_jacobi}},
             "Which relaxation.", from("Ifpack2"), in_smoother, only(relaxation));
  row.boolean("relaxation: use l1", AT(use_l1),
              "Jacobi with row sums of the couplings in place of the diagonal: the same as L1-Jacobi.",
              from("Ifpack2"), in_smoother, only(relaxation));
  row.real("smoother: damping factor", MG(smoother.damping), 0, 2,
           "Of the relaxation; 0: (4/3) / rho(D^-1 A) for Jacobi and 1 for L1-Jacobi.", from("ML"),
           also("relaxation: damping factor"), in_smoother, only(relaxation));
  row.integer("chebyshev: degree", MG(smoother.degree), 1, 64, "Degree of the polynomial.", from("Ifpack2"),
              also("smoother: polynomial order"), in_smoother, only(polynomial));
  row.choice("chebyshev: algorithm", MG(smoother.chebyshev),
             {{"first", ChebyshevKind::first},
              {"fourth", ChebyshevKind::fourth},
              {"opt_fourth", ChebyshevKind::optimal_fourth}},
             "Polynomials of the first kind, of the fourth, or optimised of the fourth; the last two "
             "need no lower bound of the spectrum.",
             from("Ifpack2"), in_smoother, only(polynomial));
  row.real("chebyshev: ratio eigenvalue", MG(smoother.ratio), 1, largest,
           "Largest over smallest eigenvalue that the first kind damps.", from("Ifpack2"),
           also("smoother: Chebyshev alpha"), above_lowest, in_smoother,
           only({"smoother: type = CHEBYSHEV or FSAI and chebyshev: algorithm = first",
                 [polynomial](Draft const& draft) {
                   return polynomial.holds(draft) &&
                          draft.settings.multigrid.smoother.chebyshev == ChebyshevKind::first;
                 }}));
  row.choice("smoother: ifpack2 type", AT(ifpack2_type), same_words(ifpack2_types),
             "Which of Ifpack2's preconditioners, of those that Trilinos was built with. RILUK, CHEBYSHEV, "
             "DENSE, DIAGONAL and IDENTITY are symmetric, and so are relaxations by Jacobi or Symmetric "
             "Gauss-Seidel and Schwarz methods of such solvers, with combine mode ADD where they overlap; "
             "beside another one there is no transpose, and conjugate gradients are flexible.",
             from("Ifpack2"), in_smoother, with_ifpack2);
  row.list("smoother: ifpack2 list", AT(ifpack2_list),
           "Its parameters, in Ifpack2's words. Each smoothing starts from zero, for the residual.",
           from("Ifpack2"), in_smoother, with_ifpack2);
}

void coarse(std::vector<Parameter>& rows) {
  Section row(rows, "Coarsest level", only_with_levels());
  row.integer("coarse: max size", MG(coarse_max_size), 1, 100000,
              "No further level is made of a matrix with at most so many rows.", from("MueLu, ML"));
  row.choice(
      "coarse: type", MG(coarse),
      {{"dense", CoarseType::dense},
       {"smoother", CoarseType::smoother},
       {"amesos2", CoarseType::direct},
       {"cudss", CoarseType::cudss}},
      "Dense factorization on one rank (least squares where the matrix is singular), the smoother, or, for "
      "levels of more rows and no singular matrix, a sparse direct solver on one rank: of Amesos2's on the "
      "host, or cuDSS on a GPU, where its library is found.",
      from("MueLu"));
  row.integer(
      "coarse: sweeps", MG(coarse_sweeps), 1, 1000,
      "How often the smoother is applied on the coarsest level.", from("ML"), in("coarse: params"),
      only({"coarse: type = smoother", WHEN(draft.settings.multigrid.coarse == CoarseType::smoother)}));
  row.choice("coarse: direct solver", AT(settings.direct_solver),
             same_words({"KLU2", "Basker", "Cholmod", "MUMPS", "SuperLU"}),
             "Which one, of those that Trilinos was built with.", from("Amesos2"), in("coarse: params"),
             only({"coarse: type = amesos2", WHEN(draft.settings.multigrid.coarse == CoarseType::direct)}));
}

void sparse_inverse(std::vector<Parameter>& rows) {
  bool (*const used)(Draft const&) = [](Draft const& draft) {
    return !method_for(draft.settings.algorithm).has_levels || draft.smoother == SmootherFamily::fsai;
  };
  Section row(rows, "Factored sparse approximate inverse",
              only({algorithms_text(false) + " or smoother: type = FSAI", used}), in_smoother);
  row.choice("fsai: ordering", AT(settings.fsai.ordering),
             {{"natural", fsai::Ordering::natural}, {"random", fsai::Ordering::random}},
             "Order of the rows in which G is triangular; random: 64 classes drawn by the rows' global "
             "numbers, one after another, the same for any number of ranks. For growing patterns.");
  row.integer(
      "fsai: factors", AT(settings.fsai.factors), 1, 2,
      "Sparse factors that G is the product of; with 2 the first has the columns of the first half of the "
      "random classes alone, and the second is that of what the first leaves of the matrix.",
      only({"fsai: ordering = random", [used](Draft const& draft) {
              return used(draft) && draft.settings.fsai.ordering == fsai::Ordering::random;
            }}));
  row.integer("fsai: pattern level", AT(settings.fsai.pattern_level), 0, 20,
              "Steps (k) in the graph of the filtered matrix that the pattern of a row reaches; 0: the "
              "diagonal. As a smoother: 1.",
              also("fact: level-of-fill"));
  row.real("fsai: prefilter tolerance", AT(settings.fsai.prefilter), 0, 1,
           "Couplings |a_ij| <= tau sqrt(a_ii a_jj) with this tau are no steps of the pattern. As a "
           "smoother: 0.05.",
           below_highest);
  row.real("fsai: postfilter tolerance", AT(settings.fsai.postfilter), 0, 1,
           "Entries |g_ij| <= delta ||g_i|| with this delta leave G, whose rows are then rescaled.",
           also("fact: drop tolerance"), below_highest);
  row.choice("fsai: postfilter norm", AT(settings.fsai.postfilter_norm),
             {{"euclidean", fsai::PostfilterNorm::euclidean}, {"energy", fsai::PostfilterNorm::energy}},
             "In which the postfilter measures entries and rows; energy: |g_ij| sqrt(a_jj) beside "
             "sqrt(g_i^T A g_i) = 1, the same in all rows.");
  row.integer(
      "fsai: max row size", AT(settings.fsai.max_row_size), 0, fsai::largest_row,
      "Entries that a row of the pattern may have. A longer row is cut to that, its strongest couplings "
      "first, and does not grow. 0: any number while the dense systems of all rows take no more work "
      "than with 160 each, else as many as take that of 64 each.");
  row.integer(
      "fsai: adaptive steps", AT(settings.fsai.adaptive_steps), 0, 100,
      "How often rows grow along the largest entries of the Kaporin gradient after the static pattern.");
  Condition const adaptive{"fsai: adaptive steps > 0", [used](Draft const& draft) {
                             return used(draft) && draft.settings.fsai.adaptive_steps > 0;
                           }};
  row.integer("fsai: adaptive step size", AT(settings.fsai.adaptive_step_size), 1, 64,
              "Entries that a row grows by in one step, or by half of its own where those are more.",
              only(adaptive));
  row.real(
      "fsai: adaptive tolerance", AT(settings.fsai.adaptive_tolerance), 0, 1,
      "An entry joins a row when it alone would lower the row's Kaporin number by more than this part of it.",
      below_highest, only(adaptive));
  row.integer("fsai: ghost depth", AT(settings.fsai.ghost_depth), -1, 1000,
              "Steps that patterns may reach into other ranks; -1: as far as they go, which makes G "
              "independent of the number of ranks; 0: a block for each rank.");
  row.integer("fsai: workspace", AT(workspace), 1, 1 << 20,
              "MiB of dense systems that are made at a time on each rank.");
}

void machine(std::vector<Parameter>& rows) {
  Section row(rows, "Formats, precision and back end");
  row.choice("backend: type", AT(settings.backend),
             {{"auto", Backend::automatic}, {"host", Backend::host}, {"cuda", Backend::cuda}},
             "Where the preconditioner runs; auto takes the GPU where there is one that this build can use.");
  row.integer("backend: device", AT(settings.device), -1, 1023,
              "Which GPU, numbered as CUDA does; -1: each rank takes the one of its number on its node, "
              "modulo the number of GPUs.",
              only({"backend: type = auto or cuda", WHEN(draft.settings.backend != Backend::host)}));
  row.choice(
      "communication: mode", AT(settings.overlap),
      {{"auto", Overlap::automatic},
       {"none", Overlap::none},
       {"naive", Overlap::naive},
       {"task", Overlap::task}},
      "How messages between ranks go with the work that needs none of them, with the same results: none "
      "waits for them first; naive begins non-blocking ones, works and waits; task has a thread of its own "
      "drive them beside the work, for which MPI must give MPI_THREAD_SERIALIZED (on a GPU, which works by "
      "itself, it is naive). These three go by MPI; auto is naive, and peer exchange between GPUs that have "
      "it.");
  row.choice(
      "precision: hierarchy", AT(settings.precision),
      {{"float", Precision::single}, {"double", Precision::full}},
      "Type in which levels are stored and cycles run; setup is in double. Where the list also names the "
      "solver, and that is neither CG nor flexible (GMRES, say), double unless this says float. W- and "
      "F-cycles and bootstraps take double, and say so, where float does not resolve the couplings, which "
      "are "
      "1e7 apart, say.",
      also("half precision", {{"true", "float"}, {"false", "double"}}));
  row.choice(
      "matrix format: type", MG(format),
      {std::begin(sparse::matrix_formats), std::end(sparse::matrix_formats)},
      "How levels are stored for the cycle; auto takes SELL-C-sigma, HYB or CSR, by the bytes that a product "
      "moves, and on a GPU SELL-runs, where three consecutive columns share a stored one. Reports say what "
      "it "
      "took.");
  Condition const sliced{"matrix format: type = auto or SELL-C-sigma",
                         WHEN(draft.settings.multigrid.format == MatrixFormat::automatic ||
                              draft.settings.multigrid.format == MatrixFormat::sell)};
  row.integer("matrix format: chunk size", MG(chunk_size), 1, 256,
              "C of SELL-C-sigma, rows a slice; a power of two.", only(sliced));
  row.integer("matrix format: sigma", MG(sigma), 1, 1048576,
              "Rows are sorted by length in windows of so many; a multiple of C, or 1 for no sorting.",
              only(sliced));
}

}  // namespace

std::vector<Parameter> const& table() {
  static std::vector<Parameter> const rows = [] {
    std::vector<Parameter> result;
    for (auto* section : {general, aggregates, prolongator, smoother, coarse, sparse_inverse, machine})
      section(result);
    return result;
  }();
  return rows;
}

}  // namespace Tessera::parameters
