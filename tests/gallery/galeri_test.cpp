// Problems that Galeri has as well: both matrices are equal.
#include <gtest/gtest.h>

#include <Galeri_MatrixTraits.hpp>
#include <Galeri_XpetraProblemFactory.hpp>

#include "whole.hpp"

namespace Tessera::gallery {
namespace {

using tpetra::CrsMatrix;
using tpetra::GlobalOrdinal;
using tpetra::LocalOrdinal;
using tpetra::Map;
using tpetra::MultiVector;
using tpetra::Scalar;

/// Galeri's problem on this rank. It keeps a reference to the given, empty list.
auto galeri(std::string const& name, Options const& options, int equations, Teuchos::ParameterList& list) {
  ::Tpetra::global_size_t rows = static_cast<::Tpetra::global_size_t>(equations);
  for (auto const& [option, value] : options) {
    list.set(option, static_cast<GlobalOrdinal>(value));
    list.set("m" + option.substr(1), GlobalOrdinal{1});
    rows *= static_cast<::Tpetra::global_size_t>(value);
  }
  Teuchos::RCP<Map const> const map = Teuchos::rcp(new Map(rows, 0, alone()));
  return Galeri::Xpetra::BuildProblem<Scalar, LocalOrdinal, GlobalOrdinal, Map, CrsMatrix, MultiVector>(
      name, map, list);
}

class GaleriHas : public testing::TestWithParam<std::tuple<char const*, int, Options>> {};

TEST_P(GaleriHas, TheSamePatternAndValues) {
  auto const& [name, equations, options] = GetParam();
  Teuchos::ParameterList list;
  auto const theirs = galeri(name, options, equations, list)->BuildMatrix();
  auto const problem = make_problem(name, options, world());
  auto const A = whole(*problem.matrix), B = whole(*theirs);
  double largest = 0;
  for (auto const value : B.value) largest = std::max(largest, std::abs(value));
  EXPECT_LT(oracle::largest_difference(A, B), 1e-14 * largest);
  EXPECT_EQ(pattern(*make_problem(name, options, alone()).matrix), pattern(*theirs));
}

INSTANTIATE_TEST_SUITE_P(Gallery, GaleriHas,
                         testing::Values(std::tuple{"Laplace2D", 1, Options{{"nx", 5}, {"ny", 4}}},
                                         std::tuple{"Star2D", 1, Options{{"nx", 4}, {"ny", 5}}},
                                         std::tuple{"Laplace3D", 1, Options{{"nx", 3}, {"ny", 4}, {"nz", 5}}},
                                         std::tuple{"Brick3D", 1, Options{{"nx", 4}, {"ny", 3}, {"nz", 3}}},
                                         std::tuple{"Elasticity2D", 2, Options{{"nx", 4}, {"ny", 5}}},
                                         std::tuple{"Elasticity3D", 3,
                                                    Options{{"nx", 4}, {"ny", 5}, {"nz", 3}}}));

TEST(GaleriHasTheSame, RigidBodyModes) {
  for (auto const& [name, equations, options] :
       {std::tuple{"Elasticity2D", 2, Options{{"nx", 4}, {"ny", 5}}},
        std::tuple{"Elasticity3D", 3, Options{{"nx", 4}, {"ny", 5}, {"nz", 3}}}}) {
    Teuchos::ParameterList list;
    auto const theirs = whole(*galeri(name, options, equations, list)->BuildNullspace());
    auto const ours = whole(*make_problem(name, options, world()).nullspace);
    EXPECT_LT(oracle::largest_difference(ours, theirs), 1e-14) << name;
  }
}

}  // namespace
}  // namespace Tessera::gallery
