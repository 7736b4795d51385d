#include <gtest/gtest.h>

#include <algorithm>

#include "Tessera_Solve.hpp"
#include "Tessera_Tune.hpp"
#include "gallery/problem.hpp"
#include "ifpack2/problems.hpp"
#include "parameters/selection.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 30;

TuneOptions brief() {
  TuneOptions options;
  options.seconds = 3;
  options.backends = {"host"};
  return options;
}

gallery::Problem problem(std::string const& name, gallery::Options const& values) {
  return gallery::make_problem(name, values, world());
}

TuneOptions options_for(gallery::Problem const& problem) {
  auto options = brief();
  options.equations = problem.equations;
  options.nearNullspace = problem.nullspace;
  options.coordinates = problem.coordinates;
  return options;
}

/// A solve with the list, to compare with the trial.
void expect_that_it_solves(RCP<RowMatrix const> const& A, MultiVector const& b, TuneReport const& report,
                           Teuchos::ParameterList& list) {
  ASSERT_TRUE(report.found());
  auto const& best = report.trials[report.best];
  EXPECT_TRUE(best.converged());
  EXPECT_EQ(best.reason, "");
  EXPECT_LE(best.relativeResidual, 1.001 * report.tolerance);
  EXPECT_NO_THROW(parameters::validate(parameters::selection(report.list)));
  MultiVector x(A->getDomainMap(), 1);
  auto const solved = solve(A, b, x, list);
  EXPECT_TRUE(solved.converged) << solved.reason;
  EXPECT_EQ(solved.iterations, best.iterations) << best.name;
}

std::string all_names(TuneReport const& report) {
  std::string names;
  for (auto const& trial : report.trials) names += trial.name + "; ";
  return names;
}

/// The list's sublist of Tessera.
Teuchos::ParameterList& own(TuneReport const& report) {
  return report.list->sublist("Preconditioner Types").sublist("Tessera");
}

TEST(Tune, ReturnsAListThatSolvesAndIsTheFastestTrial) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const report = tune(A, brief());
  MultiVector b(A->getRowMap(), 1);
  b.putScalar(1.0);
  expect_that_it_solves(A, b, report, *report.list);
  auto const& best = report.trials[report.best];
  for (auto const& trial : report.trials) {
    EXPECT_EQ(trial.reason.empty(), trial.converged()) << trial.name;
    if (!trial.converged()) continue;
    EXPECT_GE(trial.totalSeconds, (1 - tuneNoise) * best.totalSeconds) << trial.name;
    EXPECT_DOUBLE_EQ(trial.totalSeconds, trial.setupSeconds + trial.solveSeconds);
    EXPECT_GT(trial.bytes, 0u) << trial.name;
  }
  EXPECT_GT(report.trials.size(), report.order.size()) << "nothing was varied";
  EXPECT_EQ(own(report).get<std::string>("backend: type"), "host");
}

TEST(Tune, FactsAndOrderDependOnTheMatrixAlone) {
  double const pi_8 = 0.39269908169872414;
  auto const fibres =
      problem("RotatedAnisotropy2D", {{"nx", 40}, {"ny", 40}, {"eps", 1e-3}, {"theta", pi_8}});
  using Case = std::tuple<RCP<RowMatrix const>, std::string, bool, bool>;
  for (auto const& [A, first, weak, positive] :
       std::initializer_list<Case>{{laplacian(scattered_map(side * side), side), "sa_amg", false, false},
                                   {laplacian(uniform_map(side * side), side), "sa_amg", false, false},
                                   {laplacian(uniform_map(side * side), side, 1, 2.5), "fsai", false, false},
                                   {fibres.matrix, "sa_amg_anisotropic", true, true}}) {
    auto options = brief();
    options.maxIterations = 1;
    try {
      tune(A, options);
      FAIL() << "no list converges in one iteration";
    } catch (TuneError const& error) {
      auto const& report = error.report();
      EXPECT_EQ(report.order.front(), first);
      EXPECT_NE(report.orderReason, "");
      EXPECT_EQ(report.facts.weak > 0.2, weak);
      EXPECT_EQ(report.facts.positive > 0.2, positive);
      EXPECT_EQ(report.facts.rows, static_cast<long long>(A->getGlobalNumRows()));
      EXPECT_FALSE(report.facts.singular);
      EXPECT_EQ(report.facts.jump, 1);
    }
  }
}

TEST(Tune, NothingIsReturnedIfNoListConverges) {
  auto options = brief();
  options.maxIterations = 1;
  auto const A = laplacian(uniform_map(side * side), side);
  try {
    tune(A, options);
    FAIL() << "nothing was thrown";
  } catch (TuneError const& error) {
    std::string const text = error.what();
    EXPECT_EQ(text.find("no list has converged; closest came "), 0u) << text;
    EXPECT_NE(text.find("after 1 iterations, asked for 1e-08"), std::string::npos) << text;
    EXPECT_NE(text.find("more time, iterations or a larger tolerance may help"), std::string::npos) << text;
    auto const& report = error.report();
    EXPECT_FALSE(report.found());
    EXPECT_TRUE(report.list.is_null());
    for (std::size_t i = report.order.size(); i < report.trials.size(); ++i)
      EXPECT_NE(report.trials[i].name.find(", aggregation: drop tol = 0"), std::string::npos)
          << report.trials[i].name << ": what has not converged is varied by its drop tolerance alone";
    for (auto const& trial : report.trials) EXPECT_NE(trial.reason, "") << trial.name;
  }
}

TEST(Tune, ARightHandSideOutOfRangeIsNotGivenMoreTime) {
  auto const neumann = problem("NeumannLaplace2D", {{"nx", side}, {"ny", side}});
  auto options = brief();
  auto const b = rcp(new MultiVector(neumann.matrix->getRowMap(), 1));
  b->putScalar(1.0);
  options.b = b;
  try {
    tune(neumann.matrix, options);
    FAIL() << "nothing was thrown";
  } catch (TuneError const& error) {
    std::string const text = error.what();
    EXPECT_NE(text.find("singular"), std::string::npos) << text;
    EXPECT_EQ(text.find("may help"), std::string::npos) << text;
  }
}

TEST(Tune, IfAllListsReachTheRoundingLevelTheFastestIsReturned) {
  auto options = brief();
  options.tolerance = 1e-17;
  auto const report = tune(laplacian(uniform_map(side * side), side), options);
  ASSERT_TRUE(report.found()) << all_names(report);
  auto const& best = report.trials[report.best];
  EXPECT_EQ(best.status, TuneStatus::roundingLevel);
  EXPECT_LT(best.relativeResidual, 1e-13);
  EXPECT_NE(best.reason, "");
  EXPECT_NO_THROW(parameters::validate(parameters::selection(report.list)));
  for (auto const& trial : report.trials) {
    if (trial.solved()) {
      EXPECT_GE(trial.totalSeconds, (1 - tuneNoise) * best.totalSeconds) << trial.name;
    }
    EXPECT_NE(trial.status, TuneStatus::notConverged) << trial.name << trial.reason;
  }
}

/// The trial of that name.
TuneTrial const* find(TuneReport const& report, std::string const& name) {
  for (auto const& trial : report.trials)
    if (trial.name == name) return &trial;
  return nullptr;
}

TEST(Tune, VectorProblemsAreTriedWithListsForAnisotropy) {
  auto const mesh = problem("MeshDeformation2D", {{"nx", 20}, {"ny", 20}});
  auto const report = tune(mesh.matrix, options_for(mesh));
  ASSERT_TRUE(report.found());
  EXPECT_NE(find(report, "sa_amg_anisotropic"), nullptr) << all_names(report);
}

TEST(Tune, ListsThatDoNotConvergeAreTriedWithAllCouplings) {
  auto const poses = problem("PoseGraph2D", {{"nx", 8}, {"ny", 8}});
  auto options = options_for(poses);
  options.maxIterations = 1;
  options.seconds = 20;
  try {
    tune(poses.matrix, options);
    FAIL() << "no list converges in one iteration";
  } catch (TuneError const& error) {
    auto const& report = error.report();
    auto const* trial = find(report, "robust, aggregation: drop tol = 0");
    ASSERT_NE(trial, nullptr) << all_names(report);
    EXPECT_EQ(trial->status, TuneStatus::notConverged) << trial->reason;
    EXPECT_EQ(find(report, "matching_amg, aggregation: drop tol = 0"), nullptr) << "matchings drop nothing";
  }
}

TEST(Tune, AnIndefiniteMatrixFailsWithTheReason) {
  auto const A = diagonal(uniform_map(8));
  A->resumeFill();
  double const minus = -2;
  long long const last = 7;
  if (A->getRowMap()->isNodeGlobalElement(last)) A->replaceGlobalValues(last, 1, &minus, &last);
  A->fillComplete();
  EXPECT_THROW(
      try { tune(A, brief()); } catch (TuneError const& error) {
        for (auto const& trial : error.report().trials) EXPECT_FALSE(trial.converged()) << trial.name;
        throw;
      },
      TuneError);
}

TEST(Tune, ListsWithTooMuchMemoryAreExcluded) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const free = tune(A, brief());
  std::size_t least = free.trials[0].bytes, most = 0;
  for (auto const& trial : free.trials) {
    if (!trial.converged()) continue;
    least = std::min(least, trial.bytes);
    most = std::max(most, trial.bytes);
  }
  ASSERT_LT(least, most);
  auto options = brief();
  options.bytes = (least + most) / 2;
  auto const bounded = tune(A, options);
  int too_large = 0;
  for (auto const& trial : bounded.trials) {
    EXPECT_TRUE(!trial.converged() || trial.bytes <= options.bytes) << trial.name;
    too_large += trial.status == TuneStatus::tooLarge;
  }
  EXPECT_GT(too_large, 0) << all_names(bounded);
  options.bytes = 1;
  EXPECT_THROW(tune(A, options), TuneError);
}

TEST(Tune, AnElasticBodyIsTunedWithItsNodesAndModes) {
  auto const body = problem("Elasticity2D", {{"nx", 12}, {"ny", 12}});
  for (bool const modes : {true, false}) {
    auto options = options_for(body);
    (modes ? options.coordinates : options.nearNullspace) = Teuchos::null;
    auto const report = tune(body.matrix, options);
    EXPECT_EQ(report.facts.equations, 2);
    EXPECT_EQ(report.facts.nullspace, modes ? 3 : 0);
    EXPECT_EQ(report.facts.coordinates, !modes);
    EXPECT_EQ(report.order.front(), "elasticity");
    EXPECT_FALSE(own(report).isSublist("user data"));
    auto list = *report.list;
    if (own(report).isParameter("number of equations")) {
      EXPECT_EQ(own(report).get<int>("number of equations"), 2);
      auto& data = list.sublist("Preconditioner Types").sublist("Tessera").sublist("user data");
      if (modes) data.set("Nullspace", options.nearNullspace);
      if (!modes) data.set("Coordinates", options.coordinates);
    }
    expect_that_it_solves(body.matrix, *body.rhs, report, list);
  }
}

TEST(Tune, ASingularMatrixIsGivenARightHandSideInItsRange) {
  auto const neumann = problem("NeumannLaplace2D", {{"nx", side}, {"ny", side}});
  auto options = brief();
  auto const report = tune(neumann.matrix, options);
  EXPECT_TRUE(report.facts.singular);
  EXPECT_TRUE(report.found());
  options.b = neumann.rhs;
  auto const given = tune(neumann.matrix, options);
  expect_that_it_solves(neumann.matrix, *neumann.rhs, given, *given.list);
}

TEST(Tune, TheListHasTheOptions) {
  auto options = brief();
  options.tolerance = 1e-4;
  options.maxIterations = 77;
  options.solvesPerSetup = 50;
  options.backends = {"host", "auto"};
  auto const A = laplacian(uniform_map(side * side), side);
  auto const report = tune(A, options);
  auto& belos = report.list->sublist("Linear Solver Types").sublist("Belos");
  auto& solver = belos.sublist("Solver Types").sublist(belos.get<std::string>("Solver Type"));
  EXPECT_EQ(solver.get<double>("Convergence Tolerance"), 1e-4);
  EXPECT_EQ(solver.get<int>("Maximum Iterations"), 77);
  auto const& best = report.trials[report.best];
  EXPECT_DOUBLE_EQ(best.totalSeconds, best.setupSeconds + 50 * best.solveSeconds);
  EXPECT_EQ(report.trials[0].name, report.order[0] + ", backend: type = host");
  EXPECT_EQ(report.trials[1].name, report.order[0] + ", backend: type = auto");
}

TEST(Tune, TheCallbackGetsTheOrderAndEachTrial) {
  auto options = brief();
  std::vector<std::size_t> heard;
  options.told = [&](TuneReport const& report) {
    EXPECT_FALSE(report.order.empty());
    heard.push_back(report.trials.size());
  };
  auto const report = tune(laplacian(uniform_map(side * side), side), options);
  ASSERT_EQ(heard.size(), report.trials.size() + 1);
  for (std::size_t i = 0; i < heard.size(); ++i) EXPECT_EQ(heard[i], i);
}

TEST(Tune, NoListStartsWhenTheTimeIsUp) {
  auto options = brief();
  options.seconds = 1e-9;
  EXPECT_THROW(
      try { tune(laplacian(uniform_map(side * side), side), options); } catch (TuneError const& error) {
        for (auto const& trial : error.report().trials) EXPECT_EQ(trial.status, TuneStatus::notTried);
        EXPECT_NE(std::string(error.what()).find("the time is up"), std::string::npos) << error.what();
        throw;
      },
      TuneError);
}

/// A change of the options, and its message.
struct Mistake {
  std::function<void(TuneOptions&)> make;
  std::string said;
};

TEST(Tune, WrongOptionsAreRefusedOnAllRanks) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const rank = A->getComm()->getRank(), ranks = A->getComm()->getSize();
  std::vector<Mistake> mistakes{
      {[](auto& o) { o.seconds = 0; }, "seconds is 0"},
      {[](auto& o) { o.solvesPerSetup = 0; }, "solvesPerSetup is 0"},
      {[](auto& o) { o.tolerance = 1; }, "tolerance is 1"},
      {[](auto& o) { o.maxIterations = -1; }, "maxIterations is -1"},
      {[](auto& o) { o.equations = 0; }, "equations is 0"},
      {[](auto& o) { o.equations = 7; }, "no multiple of equations (7)"},
      {[](auto& o) { o.backends = {"gpu"}; }, "\"backend: type\""},
      {[&](auto& o) { o.b = rcp(new MultiVector(A->getRowMap(), 2)); }, "b has 2 columns"},
      {[&](auto& o) { o.b = rcp(new MultiVector(uniform_map(3), 1)); }, "b has "}};
  if (ranks > 1) mistakes.push_back({[&](auto& o) { o.solvesPerSetup = 1 + rank; }, "solvesPerSetup"});
  for (auto const& mistake : mistakes) {
    auto options = brief();
    mistake.make(options);
    try {
      tune(A, options);
      ADD_FAILURE() << "not refused: " << mistake.said;
    } catch (std::invalid_argument const& error) {
      EXPECT_NE(std::string(error.what()).find(mistake.said), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(tune(Teuchos::null), std::invalid_argument);
  EXPECT_THROW(tune(rcp(new CrsMatrix(uniform_map(4), 1))), std::invalid_argument);
}

}  // namespace
}  // namespace Tessera::test
