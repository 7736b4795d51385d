#include <gtest/gtest.h>

#include <Tpetra_Core.hpp>
#include <limits>

#include "cli/measure.hpp"

namespace Tessera::cli {
namespace {

Measurement solved(char const* file, double residual) {
  Measurement one;
  one.list.preconditioner = one.preconditioner = "Tessera";
  one.list.file = file;
  one.setup = {1.0};
  one.solve = {2.0};
  one.solved.iterations = 2;
  one.solved.relative_residual = residual;
  one.history = {{0, 1.0}, {1, 1e-3}, {2, residual}};
  return one;
}

std::string page_of(std::vector<Measurement> const& lists) {
  ProblemOptions problem;
  problem.name = "Laplace2D";
  problem.values = {{"nx", 3}, {"ny", 3}};
  auto const system = make_system(problem, 1, Tpetra::getDefaultComm());
  return html_text(figures_of(system), lists, {{"tessera"}, 1e-8, "", coupling_strengths(system, {}), {}});
}

int count(std::string const& text, std::string const& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Page, AListWhosePreconditionerIsNotInThisBuildHasNotFailed) {
  Measurement absent;
  absent.list.file = "ml.xml";
  absent.list.absent = "preconditioner ML is not in this build (why)";
  absent.result = {std::nullopt, absent.list.absent, 0};
  auto const page = page_of({absent, solved("ours.xml", 1e-9)});
  EXPECT_EQ(count(page, "preconditioner ML is not in this build (why)"), 3) << page;
  EXPECT_EQ(count(page, "<td>not in this build</td>"), 1) << page;
  EXPECT_EQ(count(page, "failed"), 0) << page;
}

TEST(Page, DotsAreHollowIfAListDidNotConverge) {
  auto unconverged = solved("bad.xml", 1e-2);
  unconverged.result = {SolveStatus::notConverged, "it was too hard", 1};
  auto const page = page_of({unconverged, solved("good.xml", 1e-9)});
  EXPECT_EQ(count(page, "<circle "), 4) << page;
  EXPECT_EQ(count(page, "fill=\"#fff\""), 2) << page;
  EXPECT_NE(page.find("NOT CONVERGED: it was too hard"), std::string::npos) << page;
}

TEST(Page, NonFiniteNumbersAreNotDrawn) {
  auto broken = solved("broken.xml", std::numeric_limits<double>::quiet_NaN());
  broken.result = {SolveStatus::breakdown, "a number was not finite", 1};
  broken.solved.backward_error = -std::numeric_limits<double>::quiet_NaN();
  broken.history[1].second = std::numeric_limits<double>::infinity();
  auto const page = page_of({broken});
  auto const begin = page.find("<svg class=\"chart\""), end = page.find("<h2>", begin);
  auto const charts = page.substr(begin, end - begin);
  EXPECT_EQ(count(charts, "nan") + count(charts, "inf") + count(charts, "<circle "), 0) << charts;
  EXPECT_EQ(count(charts, "<polyline "), 2) << charts;  // the finite part of the history
  EXPECT_EQ(count(page, "<td>nan") + count(page, "<td>-nan"), 0) << page;
  EXPECT_EQ(count(page, "<td>not a number</td>"), 2) << page;
}

TEST(Page, AWinningListThatCannotBeReadAgainIsReportedMissing) {
  auto const page = page_of({solved("/dev/null", 1e-9)});
  EXPECT_NE(page.find("/dev/null cannot be read a second time"), std::string::npos) << page;
}

}  // namespace
}  // namespace Tessera::cli
