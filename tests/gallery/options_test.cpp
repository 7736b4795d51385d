#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "whole.hpp"

namespace Tessera::gallery {
namespace {

template <class Work>
void expect_refused(Work const& work, std::vector<std::string> const& says) {
  try {
    work();
    ADD_FAILURE() << "was not refused";
  } catch (core::InvalidInput const& error) {
    std::string const text = error.what();
    for (auto const& part : says)
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
}

void expect_problem_refused(std::string const& name, Options const& options,
                            std::vector<std::string> const& says) {
  expect_refused([&] { make_problem(name, options, world()); }, says);
}

TEST(Options, UnknownProblemsAreRefusedWithASuggestionAndTheList) {
  expect_problem_refused("Laplce3D", {},
                         {"\"Laplce3D\"", "id you mean \"Laplace3D\"", "Horseshoe2D", "Darcy3D"});
  expect_problem_refused("", {}, {"Laplace2D"});
}

TEST(Options, AProblemRefusesOptionsThatItDoesNotHave) {
  expect_problem_refused("Laplace2D", {{"nz", 3}}, {"Laplace2D has no option --nz", "--nx, --ny"});
  expect_problem_refused("Darcy3D", {{"sgma", 3}}, {"no option --sgma", "\"sigma\""});
}

TEST(Options, ValuesOutOfRangeAreRefused) {
  expect_problem_refused("Laplace2D", {{"nx", 0}}, {"--nx 0 is not a whole number from 1"});
  expect_problem_refused("Laplace2D", {{"nx", -5}}, {"--nx -5"});
  expect_problem_refused("Laplace2D", {{"ny", 2.5}}, {"--ny 2.5"});
  expect_problem_refused("Laplace2D", {{"ny", 3e9}}, {"--ny"});
  expect_problem_refused("RotatedAnisotropy2D", {{"eps", 0}}, {"--eps 0 is not a positive number"});
  expect_problem_refused("RotatedAnisotropy2D", {{"theta", std::numeric_limits<double>::infinity()}},
                         {"--theta inf is not a finite number"});
  expect_problem_refused("Darcy3D", {{"sigma", -1}}, {"--sigma -1"});
  expect_problem_refused("Darcy3D", {{"seed", 0.5}}, {"--seed 0.5"});
  expect_problem_refused("RandomNetwork2D", {{"decades", 101}}, {"decades is 101", "at most 100"});
  expect_problem_refused("RandomNetwork2D", {{"decades", -1}}, {"--decades -1"});
  expect_problem_refused("Horseshoe2D", {{"refinements", 13}}, {"--refinements 13"});
  expect_problem_refused("Elasticity3D", {{"nz", 1}}, {"at least two in each direction"});
  expect_problem_refused("Delaunay2D", {{"perturbation", 0.5}}, {"--perturbation 0.5", "below 0.5"});
  expect_problem_refused("TetrahedraBeam3D", {{"perturbation", 0.17}}, {"--perturbation 0.17", "below 1/6"});
  expect_problem_refused("TetrahedraBeam3D", {{"perturbation", -0.1}}, {"--perturbation -0.1"});
  expect_problem_refused("TetrahedraBeam3D", {{"ny", 0}}, {"--ny 0 is not a whole number from 1"});
  expect_problem_refused("HolsteinHubbard", {{"sites", 17}}, {"17 sites"});
  expect_problem_refused("HolsteinHubbard", {{"electrons", 13}}, {"13 electrons on 6 sites", "at most 12"});
  expect_problem_refused("HolsteinHubbard", {{"phonons", 2e9}}, {"phonons in 5 modes", "give fewer phonons"});
  for (auto const* const name : {"NeumannLaplace2D", "NeumannDelaunay2D"})
    expect_problem_refused(name, {{"nx", 1}, {"ny", 1}}, {"needs an edge"});
}

TEST(Options, MoreRowsThanARankCanNumberAreRefused) {
  expect_problem_refused("Laplace3D", {{"nx", 1e6}, {"ny", 1e6}, {"nz", 1}}, {"local indices have 32 bits"});
  expect_problem_refused("Laplace3D", {{"nx", 2e9}, {"ny", 2e9}, {"nz", 2e9}},
                         {"global indices have 64 bits"});
  expect_problem_refused("Delaunay2D", {{"nx", 1e5}, {"ny", 1e5}}, {"each rank builds the whole mesh"});
  expect_problem_refused("Delaunay2D", {{"nx", 2e5}, {"ny", 2}}, {"nx and ny of at most 100000"});
  expect_problem_refused("TetrahedraBeam3D", {{"nx", 2e9}},
                         {"each rank builds the whole mesh", "2^28 points"});
}

TEST(Options, UnknownKindsOfRightHandSideAreRefused) {
  expect_refused([] { parse_rhs_kind("one"); }, {"\"one\"", "ones, random, consistent"});
}

TEST(Catalogue, DescribesEachProblemAndParameter) {
  for (auto const& entry : catalogue()) {
    EXPECT_FALSE(entry.meaning.empty()) << entry.name;
    for (auto const& parameter : entry.parameters) EXPECT_FALSE(parameter.meaning.empty()) << entry.name;
  }
}

}  // namespace
}  // namespace Tessera::gallery
