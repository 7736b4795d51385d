#include "baselines/preconditioner.hpp"

#include <gtest/gtest.h>

#include "baselines/laplace.hpp"
#include "core/error.hpp"
#include "support/thrown.hpp"

namespace Tessera {
namespace {

using baselines::make_preconditioner;
using test::thrown;
using Teuchos::ParameterList;

/// The types in this build, with a parameter list for a Laplacian, and a bound of the iterations for 40 x 40
/// points.
struct PreconditionerCase {
  std::string type;
  ParameterList list;
  int max_iterations;
};

std::vector<PreconditionerCase> preconditioner_cases() {
  ParameterList chebyshev, empty, ours_inside;
  chebyshev.set("Prec Type", "CHEBYSHEV");
  chebyshev.sublist("Ifpack2 Settings").set("chebyshev: degree", 3);
  std::vector<PreconditionerCase> all = {{"Ifpack2", chebyshev, 45}};
  if (baselines::is_available("ML")) all.push_back({"ML", empty, 12});
  if (!baselines::is_available("MueLu")) return all;
  all.push_back({"MueLu", empty, 15});
  ours_inside.set("smoother: type", "Tessera FSAI").set("coarse: type", "Tessera SA-AMG");
  ours_inside.set("coarse: max size", 200);
  all.push_back({"MueLu", ours_inside, 15});
  return all;
}

baselines::ProblemData laplace_data(int n) {
  baselines::ProblemData data;
  data.matrix = test::laplace(n);
  return data;
}

TEST(MakePreconditioner, EachTypeMakesConjugateGradientsFast) {
  auto const data = laplace_data(40);
  for (auto const& one : preconditioner_cases()) {
    auto const M = make_preconditioner(one.type, one.list, data);
    EXPECT_LE(test::cg_iterations(*data.matrix, *M.apply), one.max_iterations) << one.type;
  }
}

TEST(MakePreconditioner, LeavesTheListAsItWas) {
  auto const data = laplace_data(12);
  for (auto const& one : preconditioner_cases()) {
    ParameterList const before(one.list);
    make_preconditioner(one.type, one.list, data);
    EXPECT_EQ(before, one.list) << one.type;
  }
}

/// Ifpack2's constructor does not set Chebyshev's boost factor; setParameters() does.
TEST(MakePreconditioner, Ifpack2WithoutSettingsHasItsDefaults) {
  auto const data = laplace_data(12);
  ParameterList explicit_list;
  explicit_list.sublist("Ifpack2 Settings").set("chebyshev: boost factor", 1.1);
  baselines::MultiVector r(data.matrix->getRowMap(), 1), z(data.matrix->getRowMap(), 1),
      expected(z, Teuchos::Copy);
  r.putScalar(1.0);
  make_preconditioner("Ifpack2", {}, data).apply->apply(r, z);
  make_preconditioner("Ifpack2", explicit_list, data).apply->apply(r, expected);
  EXPECT_GT(z.getVector(0)->norm2(), 0.5 * expected.getVector(0)->norm2());
  EXPECT_LT(z.getVector(0)->norm2(), 2 * expected.getVector(0)->norm2());
}

TEST(MakePreconditioner, EveryIfpack2TypeWorksWithoutSettings) {
  auto const data = laplace_data(12);
  for (auto const* type : {"AMESOS2", "CHEBYSHEV", "ILUT", "RELAXATION", "RILUK", "SCHWARZ"}) {
    ParameterList list;
    list.set("Prec Type", type);
    EXPECT_NO_THROW(make_preconditioner("Ifpack2", list, data)) << type;
  }
}

TEST(MakePreconditioner, NoneIsNoOperator) {
  auto const M = make_preconditioner("None", {}, laplace_data(4));
  EXPECT_TRUE(M.apply.is_null());
  EXPECT_EQ(M.name, "none");
  EXPECT_TRUE(M.info().levels.empty());
}

TEST(MakePreconditioner, LevelsShrinkFromTheMatrixDown) {
  auto const data = laplace_data(60);
  for (auto const& one : preconditioner_cases()) {
    if (one.type == "Ifpack2") continue;
    ParameterList list(one.list);
    if (one.type == "MueLu") list.set("coarse: max size", 100);
    auto const info = make_preconditioner(one.type, list, data).info();
    ASSERT_GE(info.levels.size(), 3u) << one.type;
    EXPECT_EQ(info.levels[0].rows, 3600) << one.type;
    EXPECT_EQ(info.levels[0].nonzeros, 5 * 3600 - 4 * 60) << one.type;
    for (std::size_t i = 1; i < info.levels.size(); ++i) {
      EXPECT_LT(info.levels[i].rows, info.levels[i - 1].rows) << one.type;
      EXPECT_GE(info.levels[i].nonzeros, info.levels[i].rows) << one.type;
    }
    EXPECT_GT(info.operator_complexity, 1.0) << one.type;
    EXPECT_LT(info.operator_complexity, 2.0) << one.type;
  }
}

TEST(MakePreconditioner, TheNearNullspaceAndTheUnknownsOfANodeReachTheHierarchies) {
  // Two uncoupled Laplacians; the near-nullspace is one constant for each, so that coarse nodes keep two
  // unknowns.
  baselines::ProblemData data;
  data.matrix = test::laplace(40, 2);
  data.equations = 2;
  data.nullspace = Teuchos::rcp(new baselines::MultiVector(data.matrix->getRowMap(), 2));
  {
    auto const B = data.nullspace->getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < B.extent(0); ++i) {
      B(i, 0) = i % 2 == 0;
      B(i, 1) = i % 2 == 1;
    }
  }
  for (auto const& one : preconditioner_cases()) {
    if (one.type == "Ifpack2") continue;
    auto const M = make_preconditioner(one.type, one.list, data);
    EXPECT_LE(test::cg_iterations(*data.matrix, *M.apply), one.max_iterations) << one.type;
    for (auto const& level : M.info().levels) EXPECT_EQ(level.rows % 2, 0) << one.type;
  }
}

TEST(MakePreconditioner, AnUnknownTypeIsRefusedWithTheKnownOnes) {
  auto const text = thrown<core::InvalidInput>([] { make_preconditioner("Mulu", {}, laplace_data(4)); });
  EXPECT_NE(text.find("\"Mulu\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"MueLu\""), std::string::npos) << text;
}

TEST(MakePreconditioner, AMisspeltParameterIsRefusedWithItsPath) {
  auto const data = laplace_data(6);
  ParameterList ifpack2, ml, muelu;
  ifpack2.sublist("Ifpack2 Settings").set("chebyshev: degre", 3);
  ml.sublist("ML Settings").set("smother: type", "Chebyshev");
  muelu.set("smother: type", "CHEBYSHEV");
  std::map<std::string, std::pair<ParameterList, std::string>> const lists = {
      {"Ifpack2", {ifpack2, "chebyshev: degre"}},
      {"ML", {ml, "smother: type"}},
      {"MueLu", {muelu, "smother: type"}}};
  for (auto const& [type, list] : lists) {
    if (!baselines::is_available(type)) continue;
    auto const text =
        thrown<core::InvalidInput>([&, t = type, l = list.first] { make_preconditioner(t, l, data); });
    EXPECT_NE(text.find("Preconditioner Types -> " + type), std::string::npos) << text;
    EXPECT_NE(text.find(list.second), std::string::npos) << text;
  }
}

TEST(MakePreconditioner, AnIfpack2TypeThatDoesNotExistIsRefused) {
  ParameterList list;
  list.set("Prec Type", "CHEBYCHEV");
  auto const text =
      thrown<core::InvalidInput>([&] { make_preconditioner("Ifpack2", list, laplace_data(4)); });
  EXPECT_NE(text.find("\"CHEBYCHEV\""), std::string::npos) << text;
}

}  // namespace
}  // namespace Tessera
