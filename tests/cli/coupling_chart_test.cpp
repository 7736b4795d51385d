#include <gtest/gtest.h>

#include <Tpetra_Core.hpp>
#include <numeric>

#include "cli/measure.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

/// A list of smoothed aggregation with this drop tolerance.
Choice dropping(char const* file, double tolerance, char const* scheme = "classical") {
  Choice one;
  one.preconditioner = "Tessera";
  one.file = file;
  one.parameters.set("aggregation: drop tol", tolerance);
  one.parameters.set("aggregation: drop scheme", scheme);
  return one;
}

/// -u_xx - epsilon u_yy on n x n points: 2 n (n - 1) couplings of strength 1 / (2 + 2 epsilon), as many of
/// epsilon times that.
LinearSystem anisotropic(int n, double epsilon) {
  ProblemOptions problem;
  problem.name = "Laplace2D";
  problem.values = {{"nx", n}, {"ny", n}};
  auto system = make_system(problem, 1, Tpetra::getDefaultComm());
  auto& A = *system.data.matrix;
  A.resumeFill();
  for (std::size_t i = 0; i < tpetra::local_size(*A.getRowMap()); ++i) {
    tpetra::CrsMatrix::nonconst_local_inds_host_view_type columns("columns", 5);
    tpetra::CrsMatrix::nonconst_values_host_view_type values("values", 5);
    std::size_t count = 0;
    auto const row = static_cast<int>(i);
    A.getLocalRowCopy(row, columns, values, count);
    auto const me = A.getRowMap()->getGlobalElement(row);
    for (std::size_t k = 0; k < count; ++k) {
      auto const distance = std::abs(A.getColMap()->getGlobalElement(columns(k)) - me);
      values(k) = distance == 0 ? 2 + 2 * epsilon : distance == 1 ? -1.0 : -epsilon;
    }
    A.replaceLocalValues(row, static_cast<int>(count), values.data(), columns.data());
  }
  A.fillComplete();
  return system;
}

TEST(CouplingStrengths, AnisotropicCouplingsAreOfTwoStrengths) {
  long long const of_a_kind = 2 * 6 * 5;
  auto const found = coupling_strengths(anisotropic(6, 1e-3), {dropping("a.xml", 0.02)});
  ASSERT_EQ(found.trouble, "");
  EXPECT_EQ(found.couplings, 2 * of_a_kind);
  EXPECT_EQ(std::accumulate(found.bins.begin(), found.bins.end(), 0LL), found.couplings);
  // 0.4995 is between 10^-0.5 and 10^-0.25, and 0.0004995 is three decades smaller.
  int const strong = 4 * 12 - 2;
  EXPECT_EQ(found.bins[strong], of_a_kind);
  EXPECT_EQ(found.bins[strong - 12], of_a_kind);
  EXPECT_EQ(found.below.at(0.02), of_a_kind);
}

TEST(CouplingStrengths, ListsShareATolerance) {
  auto const found = coupling_strengths(
      anisotropic(5, 0.1), {dropping("a.xml", 0.02), dropping("b.xml", 0.3), dropping("c.xml", 0.02)});
  EXPECT_EQ(found.lists.at(0.02), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(found.below.at(0.02), 0);
  EXPECT_EQ(found.below.at(0.3), found.couplings / 2);
}

TEST(CouplingStrengths, ListsWithOtherMeasuresHaveNoLine) {
  Choice other;
  other.preconditioner = "MueLu";
  auto const found =
      coupling_strengths(anisotropic(5, 0.1), {dropping("a.xml", 0.02, "signed classical"), other});
  EXPECT_TRUE(found.lists.empty());
  EXPECT_GT(found.couplings, 0);
}

TEST(CouplingChart, HasABarForEachStrengthAndALineForEachTolerance) {
  auto const svg = coupling_chart(
      coupling_strengths(anisotropic(6, 1e-3), {dropping("a.xml", 0.02), dropping("<b>.xml", 1e-5)}));
  auto const count = [&](std::string const& part) {
    int found = 0;
    for (auto at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<rect class=\"couplings\""), 2) << svg;
  EXPECT_EQ(count("<line class=\"tolerance\""), 2) << svg;
  EXPECT_EQ(count("The drop tolerance 0.02 leaves 50 % of them out of the aggregates (a)."), 1) << svg;
  EXPECT_EQ(count("The drop tolerance 1e-05 leaves 0 % of them out of the aggregates (&lt;b&gt;)."), 1)
      << svg;
}

TEST(CouplingChart, WithoutCouplingsThereIsNoPicture) {
  EXPECT_NE(coupling_chart({}).find("No node is coupled"), std::string::npos);
  CouplingStrengths unknown;
  unknown.trouble = "row 3 has no diagonal entry";
  EXPECT_NE(coupling_chart(unknown).find("not known: row 3 has no diagonal entry"), std::string::npos);
}

}  // namespace
}  // namespace Tessera::cli
