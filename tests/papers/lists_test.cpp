// The lists named after a paper select the paper's method, without extensions.
#include <gtest/gtest.h>

#include <Tpetra_Core.hpp>

#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "parameters/xml.hpp"

namespace Tessera {
namespace {

using multigrid::CoarseningType;
using multigrid::CycleType;
using multigrid::SmootherType;

parameters::Selection selection_of(std::string const& name) {
  return parameters::selection(
      readXml(std::string(TESSERA_XML) + "/" + name + ".xml", *Tpetra::getDefaultComm()));
}

parameters::Settings settings_of(std::string const& name) {
  return parameters::parse(*selection_of(name).preconditioner_parameters);
}

void expect_solver(std::string const& name, double tolerance, int iterations) {
  auto const selection = selection_of(name);
  EXPECT_EQ(selection.solver, "Pseudo Block CG");
  EXPECT_EQ(selection.solver_parameters->get<double>("Convergence Tolerance"), tolerance);
  EXPECT_EQ(selection.solver_parameters->get<int>("Maximum Iterations"), iterations);
}

/// Choices that no paper makes, as the headers of the lists name them.
void expect_stated_limits(multigrid::Parameters const& p, int max_levels) {
  EXPECT_EQ(p.max_levels, max_levels);
  EXPECT_EQ(p.coarse_max_size, 500);
  EXPECT_EQ(p.format, sparse::MatrixFormat::automatic);
}

/// Extensions of all five papers, which each of their lists disables.
void expect_no_extras(multigrid::Parameters const& p) {
  EXPECT_EQ(p.bootstrap.components, 1);
  EXPECT_EQ(p.aggregation.reshaping_steps, 0);
  EXPECT_EQ(p.smoother.pre_or_post, multigrid::PreOrPost::both);
  EXPECT_EQ(p.smoother.sweeps, 1);
}

// Bell, Dalton, Olson 2012, sections 1 to 4: one MIS(2), P = (I - omega D^-1 A) T, V(1,1) with weighted
// Jacobi.
TEST(PaperLists, SmoothedAggregation) {
  auto const settings = settings_of("sa_amg_paper");
  auto const& p = settings.multigrid;
  expect_no_extras(p);
  EXPECT_EQ(p.coarsening, CoarseningType::smoothed);
  EXPECT_EQ(p.cycle, CycleType::V);
  EXPECT_EQ(p.aggregation.scheme, aggregation::AggregationScheme::mis2);
  EXPECT_EQ(p.aggregation.extra_phases, 0);
  EXPECT_EQ(p.strength.scheme, aggregation::DropScheme::classical);
  EXPECT_EQ(p.strength.drop_tolerance, 0);
  EXPECT_EQ(p.drop_tolerance_scaling, 1);
  EXPECT_FALSE(p.filter.filtered);
  EXPECT_EQ(p.prolongator_damping, 4.0 / 3.0);
  EXPECT_EQ(p.smoother.type, SmootherType::jacobi);
  EXPECT_EQ(p.smoother.damping, 0);  // (4/3) / rho
  EXPECT_EQ(p.eigenvalue_safety, 1);
  EXPECT_EQ(p.spgemm, sparse::SpgemmMethod::esc);
  EXPECT_EQ(settings.precision, parameters::Precision::full);
  EXPECT_EQ(p.eigenvalue_steps, 7);
  EXPECT_EQ(p.coarse, multigrid::CoarseType::dense);
  expect_stated_limits(p, 10);
  expect_solver("sa_amg_paper", 1e-12, 1000);
}

// Its smoother, everything else Tessera's.
TEST(PaperLists, SmoothedAggregationWithTesserasRules) {
  auto const settings = settings_of("sa_amg_jacobi");
  auto const& p = settings.multigrid;
  expect_no_extras(p);
  EXPECT_EQ(p.smoother.type, SmootherType::jacobi);
  EXPECT_EQ(p.smoother.damping, 0);
  EXPECT_EQ(p.aggregation.extra_phases, 2);
  EXPECT_TRUE(p.filter.filtered);
  EXPECT_EQ(p.drop_tolerance_scaling, 0.5);
  EXPECT_EQ(p.eigenvalue_safety, 1.1);
  EXPECT_EQ(p.spgemm, sparse::SpgemmMethod::hash);
  EXPECT_EQ(settings.precision, parameters::Precision::single);
  expect_solver("sa_amg_jacobi", 1e-12, 1000);
}

// The paper has a damping of 5/7 in three dimensions.
TEST(PaperLists, Ml) {
  auto const selection = selection_of("ml_sa_jacobi");
  EXPECT_EQ(selection.preconditioner, "ML");
  auto const& own = selection.preconditioner_parameters->sublist("ML Settings");
  EXPECT_EQ(own.get<std::string>("aggregation: type"), "Uncoupled");
  EXPECT_EQ(own.get<std::string>("smoother: type"), "Jacobi");
  EXPECT_DOUBLE_EQ(own.get<double>("smoother: damping factor"), 2.0 / 3.0);
  expect_solver("ml_sa_jacobi", 1e-12, 1000);
}

// Brannick, Chen, Hu, Zikatanov 2013: PAA on the matrix' own graph, P = T, K-cycle with l1-Jacobi.
TEST(PaperLists, UnsmoothedAggregation) {
  auto const settings = settings_of("ua_amg_paper");
  auto const& p = settings.multigrid;
  expect_no_extras(p);
  EXPECT_EQ(p.coarsening, CoarseningType::unsmoothed);
  EXPECT_EQ(p.cycle, CycleType::K);
  EXPECT_EQ(p.aggregation.scheme, aggregation::AggregationScheme::paa);
  EXPECT_EQ(p.aggregation.passes, 1);
  EXPECT_EQ(p.strength.drop_tolerance, 0);
  EXPECT_EQ(p.smoother.type, SmootherType::l1_jacobi);
  EXPECT_EQ(p.smoother.damping, 0);  // 1
  EXPECT_EQ(p.coarse, multigrid::CoarseType::dense);
  // Chosen here.
  EXPECT_EQ(p.aggregation.largest, 4);
  EXPECT_EQ(p.k_levels, 8);
  EXPECT_EQ(settings.precision, parameters::Precision::single);
  expect_stated_limits(p, 40);
  expect_solver("ua_amg_paper", 1e-8, 1000);  // paper: 1e-6
}

// Bernaschi, D'Ambra, Pasquini 2019, section 3: two matchings by weight alone, w normalised on each
// aggregate, V-cycle with l1-Jacobi, 20 sweeps on the coarsest level.
TEST(PaperLists, Matching) {
  auto const settings = settings_of("matching_amg_paper");
  auto const& p = settings.multigrid;
  expect_no_extras(p);
  EXPECT_EQ(p.prolongator_damping, 0);
  EXPECT_TRUE(p.normalise_constant);
  EXPECT_EQ(p.cycle, CycleType::V);
  EXPECT_EQ(p.aggregation.scheme, aggregation::AggregationScheme::matching);
  EXPECT_EQ(p.aggregation.matchings, 2);
  EXPECT_EQ(p.aggregation.coarse_matchings, 2);
  EXPECT_EQ(p.aggregation.matching.least_quotient, 0);
  EXPECT_EQ(p.aggregation.matching.first_weight, 0);
  EXPECT_EQ(p.aggregation.matching.first_share, 0);
  EXPECT_EQ(p.strength.drop_tolerance, 0);
  EXPECT_EQ(p.smoother.type, SmootherType::l1_jacobi);
  EXPECT_EQ(p.smoother.damping, 0);  // 1
  EXPECT_EQ(p.coarse, multigrid::CoarseType::smoother);
  EXPECT_EQ(p.coarse_sweeps, 20);
  // Chosen here. The paper's coarsest level has at most 40 n^(1/3) rows; it also has 40 levels.
  EXPECT_EQ(settings.precision, parameters::Precision::single);
  expect_stated_limits(p, 40);
  expect_solver("matching_amg_paper", 1e-8, 1000);  // paper: 1e-6, 5000
}

// Tessera's own matching, everything else as in the paper.
TEST(PaperLists, PlainMatchingDiffersFromThePapersInItsRulesAndColumnsAlone) {
  auto own = settings_of("matching_amg_plain").multigrid;
  auto const theirs = settings_of("matching_amg_paper").multigrid;
  EXPECT_GT(own.aggregation.matching.least_quotient, 0);
  EXPECT_FALSE(own.normalise_constant);
  EXPECT_EQ(own.aggregation.matchings, theirs.aggregation.matchings);
  EXPECT_EQ(own.coarse_sweeps, theirs.coarse_sweeps);
  EXPECT_EQ(own.smoother.type, theirs.smoother.type);
  EXPECT_EQ(own.prolongator_damping, theirs.prolongator_damping);
}

}  // namespace
}  // namespace Tessera
