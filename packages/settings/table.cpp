#include "settings/table.hpp"

#include <limits>

#include "multigrid/polynomial.hpp"
#include "settings/table_rows.hpp"

// One row a parameter: the file is as long as there are parameters. Defaults are not repeated here: they are
// those of multigrid::Parameters and Settings.
namespace Tessera::settings {
namespace {

using comm::Overlap;
using multigrid::ChebyshevKind;
using multigrid::CoarseType;
using multigrid::CycleType;
using multigrid::MatrixFormat;
using multigrid::PreOrPost;
using multigrid::RefreshPreparation;
using sparse::SpgemmMethod;

/// Types of Ifpack2::Factory that need only the matrix.
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

/// Choices that are stored as strings.
template <std::size_t count>
std::vector<std::pair<std::string, std::string>> same_words(char const* const (&words)[count]) {
  std::vector<std::pair<std::string, std::string>> all;
  for (auto const* word : words) all.emplace_back(word, word);
  return all;
}

/// The parameter may be in MueLu's sublist of the smoother.
constexpr auto in_smoother = in("smoother: params");

/// For nodes of several equations the sign of a coupling has little meaning. Root nodes then use the strength
/// of smoothed aggregation, unless the list gives another.
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
             "sa: smoothed aggregation. unsmoothed: unsmoothed aggregation with a K-cycle. "
             "matching: aggregates by compatible weighted matching, with smoothed prolongators. "
             "rootnode: root nodes, with prolongators of small energy. classical: coarse nodes by PMIS, "
             "with extended interpolation, for one unknown a node. fsai: a factored sparse approximate "
             "inverse, without levels. Each has defaults of its own.",
             from("MueLu"));
  row.integer("max levels", MG(max_levels), 1, 64, "Largest number of levels, including the finest.",
              from("MueLu, ML"), only_with_levels());
  row.choice("cycle type", MG(cycle),
             {{"V", CycleType::V}, {"W", CycleType::W}, {"F", CycleType::F}, {"K", CycleType::K}},
             "How each coarser level is solved: by one cycle (V), two (W), an F-cycle and a V-cycle "
             "(F), or one or two flexible CG steps with a cycle each (K). A K-cycle is not linear: "
             "solve with a flexible method; TESSERA CG becomes flexible automatically.",
             from("MueLu"), also("prec type", {{"MGV", "V"}, {"MGW", "W"}}), only_with_levels());
  row.integer("cycle: K levels", MG(k_levels), 1, 64,
              "Number of levels below the finest on which a K-cycle takes its steps. Coarser levels "
              "have V-cycles. Each of these levels visits all coarser ones twice.",
              only({algorithms_text(true) + " and cycle type = K", [](Draft const& draft) {
                      return method_for(draft.settings.algorithm).has_levels &&
                             draft.settings.multigrid.cycle == CycleType::K;
                    }}));
  row.integer("cycle: applications", MG(applications), 1, 100,
              "Number of cycles in one application of the preconditioner, each starting from the result of "
              "the previous one; "
              "of a bootstrap, one application of each hierarchy.",
              from("ML"), also("cycle applications"), only_with_levels());
  row.choice("problem: type", AT(settings.problem),
             {{"unknown", ProblemType::unknown},
              {"Poisson-2D", ProblemType::poisson_2d},
              {"Poisson-3D", ProblemType::poisson_3d},
              {"Elasticity-2D", ProblemType::elasticity_2d},
              {"Elasticity-3D", ProblemType::elasticity_3d}},
             "Preset of `number of equations`: one a node, or 2 and 3 for elasticity.", from("MueLu"),
             only_with_levels(), then([](Draft& draft) {
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
              "Cost of a setup in iterations. When the solves after refreshes have taken this many "
              "more iterations in total than after the first refresh, or the first refresh this many "
              "more than the setup, the next compute() is a setup. 0: never.");
  row.choice("reuse: prepare refresh", MG(prepare_refresh),
             {{"second", RefreshPreparation::second}, {"first", RefreshPreparation::first}},
             "Which compute() prepares refreshes, with patterns, plans of products and memory. "
             "Before that compute() is a setup that keeps the aggregates.",
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
             "What compute() prints on rank 0: nothing, warnings, the hierarchy, times by phase, or "
             "everything that describe() prints.",
             from("MueLu"));
  row.boolean("timer for apply", AT(settings.timer_for_apply),
              "Count the time of apply() in a Teuchos timer.", from("Ifpack2"));
  row.boolean("timer for phases", AT(settings.timer_for_phases),
              "Count setups, levels, phases, cycles and solves of TESSERA CG in Teuchos timers.");
  row.choice("tessera: strict", AT(settings.strict),
             {{"own", Strictness::own}, {"true", Strictness::all}, {"false", Strictness::nothing}},
             "own: refuse unknown names, parameters without effect and other libraries' parameters "
             "without counterpart. true: refuse other libraries' parameters without effect, too. "
             "false: refuse none of these. A parameter that is not refused causes one warning.",
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
              "Largest number of strong couplings between a node and the aggregates in its row of P.",
              from("MueLu"), with_root_nodes);
  row.real("emin: prefilter", MG(energy.prefilter), 0, 1,
           "A row of P drops an aggregate if a random walk of `emin: pattern order` strong "
           "couplings reaches it with less than this share of the most probable aggregate's "
           "probability.",
           excluding_highest, with_root_nodes);
  row.integer("emin: num iterations", MG(energy.steps), 1, 100,
              "Steps of conjugate gradients that reduce the energy of P.", from("MueLu"), with_root_nodes);
  row.boolean("tentative: calculate qr", MG(normalise_constant),
              "Orthonormalise T's columns in each aggregate also where P = T has one vector of ones, "
              "which otherwise stays ones. All other columns are always orthonormalised.",
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
              "Lanczos steps for rho(D^-1 A), for prolongators and smoothers. With too "
              "few steps the preconditioner may be indefinite.",
              from("MueLu"), also("eigen-analysis: iterations"), also("chebyshev: eigenvalue max iterations"),
              in_smoother);
  row.real("chebyshev: boost factor", MG(eigenvalue_safety), 1, 10,
           "Smallest factor on the eigenvalue estimate for smoothers (polynomials that are "
           "sensitive above their interval use a larger one). The largest absolute row sum bounds "
           "the result.",
           from("Ifpack2"), in_smoother);
  row.real("sa: max eigenvalue", MG(max_eigenvalue), 1, largest,
           "rho(D^-1 A) of the finest level, if known (at least 1, the mean eigenvalue). -1: "
           "estimate it.",
           or_value(-1), from("MueLu"), also("chebyshev: max eigenvalue"), in_smoother);
  row.choice("spgemm: type", MG(spgemm), {{"hash", SpgemmMethod::hash}, {"esc", SpgemmMethod::esc}},
             "Sparse products by hash tables, or by expansion, sorting and compression.");
  row.integer("repartition: min rows per proc", MG(rows_per_rank), 1, 1000000000,
              "Levels with fewer rows a rank are gathered onto fewer ranks. -1: 2000 on a host, "
              "20000 on a GPU, and 2000 on both with `aggregation: coupled` = false.",
              or_value(-1), from("MueLu"));
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
             "CHEBYSHEV: polynomials in D^-1 A. RELAXATION: `relaxation: type`. FSAI: polynomials "
             "in G^T G A, with the factored sparse approximate inverse G^T G of each level's A. "
             "IFPACK2: a preconditioner of Ifpack2, on a host; `backend: type` = auto then chooses "
             "the host.",
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
              "Number of relaxation sweeps, or of applications of the polynomial or of Ifpack2's "
              "preconditioner.",
              from("ML"), also("relaxation: sweeps"), in_smoother);
  row.choice("relaxation: type", AT(relaxation),
             {{"Jacobi", RelaxationType::jacobi}, {"L1-Jacobi", RelaxationType::l1_jacobi}},
             "The relaxation.", from("Ifpack2"), in_smoother, only(relaxation));
  row.boolean("relaxation: use l1", AT(use_l1),
              "true: L1-Jacobi, which replaces the diagonal by absolute row sums.", from("Ifpack2"),
              in_smoother, only(relaxation));
  row.real("smoother: damping factor", MG(smoother.damping), 0, 2,
           "Damping of the relaxation. 0: (4/3) / rho(D^-1 A) for Jacobi and 1 for L1-Jacobi.", from("ML"),
           also("relaxation: damping factor"), in_smoother, only(relaxation));
  row.integer("chebyshev: degree", MG(smoother.degree), 1, 64, "Degree of the polynomial.", from("Ifpack2"),
              also("smoother: polynomial order"), in_smoother, only(polynomial));
  row.choice("chebyshev: algorithm", MG(smoother.chebyshev),
             {{"first", ChebyshevKind::first},
              {"fourth", ChebyshevKind::fourth},
              {"opt_fourth", ChebyshevKind::optimal_fourth}},
             "first, fourth: polynomials of that kind. opt_fourth: optimised polynomials of the "
             "fourth kind. The last two need no lower bound of the spectrum.",
             from("Ifpack2"), in_smoother, only(polynomial));
  row.real("chebyshev: ratio eigenvalue", MG(smoother.ratio), 1, largest,
           "Ratio of the largest to the smallest eigenvalue that polynomials of the first kind "
           "damp.",
           from("Ifpack2"), also("smoother: Chebyshev alpha"), excluding_lowest, in_smoother,
           only({"smoother: type = CHEBYSHEV or FSAI and chebyshev: algorithm = first",
                 [polynomial](Draft const& draft) {
                   return polynomial.holds(draft) &&
                          draft.settings.multigrid.smoother.chebyshev == ChebyshevKind::first;
                 }}));
  row.choice("smoother: ifpack2 type", AT(ifpack2_type), same_words(ifpack2_types),
             "A preconditioner of Ifpack2 that Trilinos was built with. RILUK, CHEBYSHEV, DENSE, "
             "DIAGONAL and IDENTITY are symmetric. So are relaxations by Jacobi or Symmetric "
             "Gauss-Seidel, and Schwarz methods of such solvers without overlap or with combine "
             "mode ADD. With others there is no transpose, and conjugate gradients are flexible.",
             from("Ifpack2"), in_smoother, with_ifpack2);
  row.list("smoother: ifpack2 list", AT(ifpack2_list),
           "Its parameters, as Ifpack2 names them. Each smoothing step starts from zero with the "
           "residual as right-hand side.",
           from("Ifpack2"), in_smoother, with_ifpack2);
}

void coarse(std::vector<Parameter>& rows) {
  Section row(rows, "Coarsest level", only_with_levels());
  row.integer("coarse: max size", MG(coarse_max_size), 1, 100000,
              "A level with at most this many rows is the coarsest.", from("MueLu, ML"));
  row.choice("coarse: type", MG(coarse),
             {{"dense", CoarseType::dense},
              {"smoother", CoarseType::smoother},
              {"amesos2", CoarseType::direct},
              {"cudss", CoarseType::cudss}},
             "dense: factorization on one rank (least squares if the matrix is singular). smoother: "
             "sweeps. For larger regular matrices a sparse direct solver on one rank: amesos2 on "
             "the host, or cudss on a GPU if its library is found.",
             from("MueLu"));
  row.integer(
      "coarse: sweeps", MG(coarse_sweeps), 1, 1000, "Applications of the smoother on the coarsest level.",
      from("ML"), in("coarse: params"),
      only({"coarse: type = smoother", WHEN(draft.settings.multigrid.coarse == CoarseType::smoother)}));
  row.choice("coarse: direct solver", AT(settings.direct_solver),
             same_words({"KLU2", "Basker", "Cholmod", "MUMPS", "SuperLU"}),
             "A direct solver that Trilinos was built with.", from("Amesos2"), in("coarse: params"),
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
             "Order of the rows in which G is triangular. random: 64 classes by a hash of the rows' "
             "global numbers, the same for any number of ranks; for growing patterns.");
  row.integer("fsai: factors", AT(settings.fsai.factors), 1, 2,
              "Number of sparse factors of G. With 2 the first has only columns of the first half of "
              "the random classes, and the second is made of the matrix that the first factor "
              "leaves.",
              only({"fsai: ordering = random", [used](Draft const& draft) {
                      return used(draft) && draft.settings.fsai.ordering == fsai::Ordering::random;
                    }}));
  row.integer("fsai: pattern level", AT(settings.fsai.pattern_level), 0, 20,
              "Steps (k) in the graph of the filtered matrix that the pattern of a row reaches. 0: "
              "the diagonal. Default as a smoother: 1.",
              also("fact: level-of-fill"));
  row.real("fsai: prefilter tolerance", AT(settings.fsai.prefilter), 0, 1,
           "tau: couplings with |a_ij| <= tau sqrt(a_ii a_jj) are no steps of the pattern. "
           "Default as a smoother: 0.05.",
           excluding_highest);
  row.real("fsai: postfilter tolerance", AT(settings.fsai.postfilter), 0, 1,
           "delta: entries with |g_ij| <= delta ||g_i|| are dropped from G, and its rows "
           "rescaled.",
           also("fact: drop tolerance"), excluding_highest);
  row.choice("fsai: postfilter norm", AT(settings.fsai.postfilter_norm),
             {{"euclidean", fsai::PostfilterNorm::euclidean}, {"energy", fsai::PostfilterNorm::energy}},
             "Norm in which the postfilter compares entries with rows. energy: |g_ij| sqrt(a_jj) "
             "compared with sqrt(g_i^T A g_i) = 1, the same in all rows.");
  row.integer("fsai: max row size", AT(settings.fsai.max_row_size), 0, fsai::largest_row,
              "Largest number of entries of a row of the pattern. A longer row keeps its strongest "
              "couplings and does not grow. 0: any number while the dense systems of all rows cost "
              "at most as much as with 160 entries each; otherwise rows are cut to the cost of 64 "
              "each.");
  row.integer("fsai: adaptive steps", AT(settings.fsai.adaptive_steps), 0, 100,
              "Steps in which rows grow along the largest entries of the Kaporin gradient, after the "
              "static pattern.");
  Condition const adaptive{"fsai: adaptive steps > 0", [used](Draft const& draft) {
                             return used(draft) && draft.settings.fsai.adaptive_steps > 0;
                           }};
  row.integer("fsai: adaptive step size", AT(settings.fsai.adaptive_step_size), 1, 64,
              "Entries that a row gains in one step; at least half of its present entries.", only(adaptive));
  row.real("fsai: adaptive tolerance", AT(settings.fsai.adaptive_tolerance), 0, 1,
           "An entry joins a row if it alone would reduce the row's factor of the Kaporin number by "
           "more than this fraction.",
           excluding_highest, only(adaptive));
  row.integer("fsai: ghost depth", AT(settings.fsai.ghost_depth), -1, 1000,
              "Steps that patterns may reach into other ranks. -1: any number, so that G does not "
              "depend on the number of ranks. 0: a block for each rank.");
  row.integer("fsai: workspace", AT(workspace), 1, 1 << 20, "MiB of dense systems in a batch on each rank.");
}

void machine(std::vector<Parameter>& rows) {
  Section row(rows, "Formats, precision and back end");
  row.choice("backend: type", AT(settings.backend),
             {{"auto", Backend::automatic}, {"host", Backend::host}, {"cuda", Backend::cuda}},
             "Where the preconditioner runs. auto: on a GPU if there is one that this build can "
             "use.");
  row.integer("backend: device", AT(settings.device), -1, 1023,
              "The GPU, by CUDA's number. -1: each rank takes the one of its number on its node, "
              "modulo the number of GPUs.",
              only({"backend: type = auto or cuda", WHEN(draft.settings.backend != Backend::host)}));
  row.choice("communication: mode", AT(settings.overlap),
             {{"auto", Overlap::automatic},
              {"none", Overlap::none},
              {"naive", Overlap::naive},
              {"task", Overlap::task}},
             "How messages between ranks overlap with work that does not need them; results are "
             "equal. none: wait first. naive: begin non-blocking messages, work, then wait. task: a "
             "separate thread drives the messages, which needs MPI_THREAD_SERIALIZED (on a GPU it "
             "is naive). These three use MPI. auto: naive, with direct exchange between GPUs that "
             "have peer access.");
  row.choice(
      "precision: hierarchy", AT(settings.precision),
      {{"float", Precision::single},
       {"double", Precision::full},
       {"half", Precision::half},
       {"auto", Precision::automatic}},
      "Type of stored levels and of cycles; the setup is in double. half: 16-bit matrices, for GPUs. Solves "
      "take up to 8 % less time and levels up to 18 % less memory; refreshes take up to 24 % longer (H200), "
      "elastic matrices up to 24 % more iterations, and solves on hosts 1.4 times as long. auto: half on "
      "large levels of a GPU if the near-nullspace is the constant and couplings are mostly negative. "
      "Solvers that are neither CG nor flexible default to double. W- and F-cycles and bootstraps use "
      "double if float does not resolve couplings (1e7 apart, for example).",
      also("half precision", {{"true", "float"}, {"false", "double"}}));
  row.integer("precision: half from", MG(half_from), -1, std::numeric_limits<int>::max(),
              "Least number of entries of a level in half by auto. -1: 8 million on a GPU; on a host none.",
              only({"precision: hierarchy = auto", WHEN(draft.settings.precision == Precision::automatic)}));
  row.choice("matrix format: type", MG(format),
             {std::begin(sparse::matrix_formats), std::end(sparse::matrix_formats)},
             "Storage of levels for the cycle. auto: SELL-C-sigma, HYB or CSR, by the bytes that a "
             "product moves, and on a GPU also SELL-runs, one column for three consecutive ones.");
  Condition const sliced{"matrix format: type = auto or SELL-C-sigma",
                         WHEN(draft.settings.multigrid.format == MatrixFormat::automatic ||
                              draft.settings.multigrid.format == MatrixFormat::sell)};
  row.integer("matrix format: chunk size", MG(chunk_size), 1, 256,
              "C of SELL-C-sigma: rows a slice, a power of two.", only(sliced));
  row.integer("matrix format: sigma", MG(sigma), 1, 1048576,
              "Rows are sorted by length in windows of this many rows: a multiple of C, or 1 for no "
              "sorting.",
              only(sliced));
}

}  // namespace

std::vector<Parameter> const& table() {
  static std::vector<Parameter> const rows = [] {
    std::vector<Parameter> result;
    for (auto* section :
         {general, aggregates, classical, prolongator, smoother, coarse, sparse_inverse, machine})
      section(result);
    return result;
  }();
  return rows;
}

std::vector<std::pair<std::string, std::string>> const& sublists() {
  static std::vector<std::pair<std::string, std::string>> const lists{
      {"smoother: params", "Parameters of the smoother, as in MueLu's lists."},
      {"smoother: pre params",
       "With `smoother: pre type`: parameters of the smoother before the coarse correction. "
       "The smoother after it has the same unless set."},
      {"smoother: post params",
       "Parameters of the smoother after the coarse correction. They must have the same "
       "effect, otherwise no cycle is symmetric."},
      {"level N",
       "Smoother of level N (0 is the finest), where it differs: `smoother: type` and its "
       "parameters; or its `aggregation: drop tol`, which is not scaled."},
      {"coarse: params", "Parameters of the coarse solver, as in MueLu's lists."},
      {"user data", "Multivectors `Nullspace`, `Coordinates` and `Material`, set by a program."},
      {"VerboseObject", "Written by Stratimikos; no effect."}};
  return lists;
}

bool differs_by_level(Parameter const& row) {
  if (row.section == "Smoother") return row.name != "smoother: pre or post";
  if (row.name == drop_tolerance_name) return true;
  return row.sublist == "smoother: params" && row.name.rfind("fsai: ", 0) == 0;
}

std::map<std::string, Name> const& names() {
  static std::map<std::string, Name> const result = [] {
    std::map<std::string, Name> all;
    for (auto const& row : table()) {
      all[row.name] = {&row, nullptr};
      for (auto const& alias : row.aliases) all[alias.name] = {&row, &alias};
    }
    return all;
  }();
  return result;
}

}  // namespace Tessera::settings
