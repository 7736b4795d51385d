// Lists of MueLu's factories, and lists inside others.
#include "failure.hpp"
#include "foreign_lists.hpp"
#include "parameters/parse.hpp"

namespace Tessera::parameters {
namespace {

using test::contains;
using test::failure;

std::string factory(std::string const& name, std::string const& class_name, std::string const& more = "") {
  return sublist(name, parameter("factory", "string", class_name) + more);
}
std::string refer(std::string const& what, std::string const& name) {
  return parameter(what, "string", name);
}
/// One group of all levels.
std::string factories(std::string const& inside, std::string const& level) {
  return sublist("Factories", inside) +
         sublist("Hierarchy", parameter("max levels", "int", "5") + sublist("All", level));
}

TEST(Factories, SayWhatTheEasyInterfaceSays) {
  auto const made = translate(
      xml(sublist("Matrix", parameter("PDE equations", "int", "2")) +
          factories(factory("strength", "CoalesceDropFactory_kokkos",
                            parameter("aggregation: drop tol", "double", "0.1")) +
                        factory("aggregates", "UncoupledAggregationFactory", refer("Graph", "strength")) +
                        factory("T", "TentativePFactory", refer("Aggregates", "aggregates")) +
                        factory("P", "SaPFactory",
                                refer("P", "T") + parameter("sa: damping factor", "double", "1.5")) +
                        factory("other P", "SaPFactory", parameter("sa: damping factor", "double", "1.1")) +
                        factory("S", "TrilinosSmoother",
                                refer("type", "CHEBYSHEV") + refer("smoother: pre or post", "pre") +
                                    sublist("ParameterList", parameter("chebyshev: degree", "int", "3"))),
                    refer("P", "P") + refer("Smoother", "S") + refer("CoarseSolver", "DirectSolver"))));
  auto const settings = parse(*made.list).multigrid;
  EXPECT_EQ(settings.max_levels, 5);
  EXPECT_EQ(settings.equations, 2);
  EXPECT_EQ(settings.drop_tolerance_on(2), 0.1);
  EXPECT_EQ(settings.prolongator_damping, 1.5);
  EXPECT_FALSE(settings.filter.filtered);
  EXPECT_EQ(settings.smoother.type, multigrid::SmootherType::chebyshev);
  EXPECT_EQ(settings.smoother.degree, 3);
  EXPECT_EQ(settings.smoother.pre_or_post, multigrid::PreOrPost::both);
  EXPECT_EQ(describe_status(made, "Factories -> other P"), TranslationStatus::no_effect);
  EXPECT_EQ(describe_status(made, "Factories -> P -> sa: damping factor = 1.5"), TranslationStatus::same);
}

TEST(Factories, OfProlongatorsChooseTheAlgorithm) {
  auto const algorithm = [](std::string const& inside) {
    return parse(*translate(xml(factories(inside, refer("P", "P")))).list).algorithm;
  };
  auto const plain = factory("T", "TentativePFactory");
  EXPECT_EQ(algorithm(plain + factory("P", "SaPFactory", refer("P", "T"))), Algorithm::smoothed);
  EXPECT_EQ(algorithm(plain + factory("P", "EminPFactory", refer("P", "T"))), Algorithm::root_nodes);
  EXPECT_EQ(algorithm(plain + factory("P", "RebalanceTransferFactory", refer("P", "T"))),
            Algorithm::unsmoothed);
}

TEST(Factories, OfALevelGiveItsSmoother) {
  auto const jacobi = factory("J", "TrilinosSmoother",
                              refer("type", "RELAXATION") +
                                  sublist("ParameterList", refer("relaxation: type", "Jacobi") +
                                                               parameter("relaxation: sweeps", "int", "3")));
  auto const polynomial = factory("C", "TrilinosSmoother", refer("type", "CHEBYSHEV"));
  auto const made =
      translate(xml(sublist("Factories", jacobi + polynomial) +
                    sublist("Hierarchy", sublist("Finest", refer("Smoother", "J")) +
                                             sublist("All", parameter("startLevel", "int", "1") +
                                                                refer("Smoother", "C")))));
  auto const settings = parse(*made.list).multigrid;
  EXPECT_EQ(settings.smoother_on(0).type, multigrid::SmootherType::jacobi);
  EXPECT_EQ(settings.smoother_on(0).sweeps, 3);
  EXPECT_EQ(settings.smoother_on(1).type, multigrid::SmootherType::chebyshev);
}

TEST(Factories, WithoutCounterpartAreNamed) {
  auto const made = translate(xml(factories(
      factory("lines", "LineDetectionFactory") + factory("T", "TentativePFactory") +
          factory("V", "SemiCoarsenPFactory_kokkos", parameter("semicoarsen: coarsen rate", "int", "14")) +
          factory("P", "TogglePFactory", sublist("TransferFactories", refer("P1", "V") + refer("P2", "T"))),
      refer("P", "P") + refer("CoarseNumZLayers", "lines"))));
  for (auto const* one : {"lines (LineDetectionFactory)", "V (SemiCoarsenPFactory)", "P (TogglePFactory)"})
    EXPECT_EQ(describe_status(made, std::string("Factories -> ") + one), TranslationStatus::no_counterpart);
}

TEST(Factories, ThatAreWrongAreRefused) {
  auto const refused = [](std::string const& inside, std::string const& level) {
    return failure([&] { translate(xml(factories(inside, level))); });
  };
  auto const P = factory("P", "SaPFactory", parameter("sa: damping facto", "double", "1"));
  EXPECT_TRUE(contains(refused(P, refer("P", "P")), "\"sa: damping factor\""));
  EXPECT_TRUE(contains(refused(factory("P", "SaPFactori"), refer("P", "P")), "\"SaPFactory\""));
  EXPECT_TRUE(contains(refused(factory("P", "BlockedPFactory"), refer("P", "P")), "Teko"));
  EXPECT_TRUE(contains(refused(factory("myP", "SaPFactory"), refer("P", "myPP")), "did you mean \"myP\""));
  EXPECT_TRUE(contains(refused("", parameter("startLevel", "int", "-1")), "from 0 to 64"));
  EXPECT_REFUSED(translate(xml(sublist("Hierarchy", ""))), "no sublist of a level");
}

TEST(Translation, OfListsInsideALeavesTheRest) {
  auto const inverses =
      sublist("Velocity", refer("Type", "ML") + sublist("ML Settings", parameter("max levels", "int", "4"))) +
      sublist("Pressure", refer("Type", "MueLu") + parameter("max levels", "int", "6")) +
      sublist("SIMPLE", refer("Type", "NS SIMPLE") + refer("Inverse Velocity Type", "Velocity"));
  auto const teko =
      refer("Preconditioner Type", "Teko") +
      sublist("Preconditioner Types", sublist("Teko", refer("Inverse Type", "SIMPLE") +
                                                          sublist("Inverse Factory Library", inverses)));
  auto const made = translate(xml(teko));
  EXPECT_EQ(made.name, "Stratimikos");
  EXPECT_EQ(made.libraries, (std::vector<Library>{Library::ml, Library::muelu}));
  auto const& library =
      made.list->sublist("Preconditioner Types").sublist("Teko").sublist("Inverse Factory Library");
  EXPECT_EQ(library.sublist("Velocity").get<std::string>("Type"), "Tessera");
  EXPECT_EQ(library.sublist("Velocity").get<int>("max levels"), 4);
  EXPECT_EQ(library.sublist("Pressure").get<int>("max levels"), 6);
  EXPECT_EQ(library.sublist("SIMPLE").get<std::string>("Type"), "NS SIMPLE");
  auto const program =
      translate(xml(sublist("Newton", sublist("Stratimikos", refer("Preconditioner Type", "MueLu")) +
                                          parameter("steps", "int", "7"))));
  EXPECT_EQ(program.name, "Parameters");
  EXPECT_EQ(program.list->sublist("Newton").get<int>("steps"), 7);
  EXPECT_TRUE(program.list->sublist("Newton")
                  .sublist("Stratimikos")
                  .sublist("Preconditioner Types")
                  .isSublist("Tessera"));
  EXPECT_REFUSED(translate(xml(refer("Preconditioner Type", "Teko"))),
                 "MueLu, ML and Ifpack2 are translated");
}

}  // namespace
}  // namespace Tessera::parameters
