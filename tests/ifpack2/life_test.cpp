// The life of a preconditioner: states, counts, refresh and reuse, exchange of matrices, describing itself.
#include <gtest/gtest.h>

#include <Teuchos_TimeMonitor.hpp>
#include <Teuchos_VerboseObject.hpp>
#include <sstream>

#include "Tessera_SmoothedAggregation.hpp"
#include "core/device.hpp"
#include "problems.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 20;

Teuchos::ParameterList parameters() {
  Teuchos::ParameterList list("Tessera");
  list.set("coarse: max size", 30);
  return list;
}

std::vector<double> applied(SmoothedAggregation<> const& M) {
  MultiVector Y(M.getRangeMap(), 1);
  M.apply(*waves(M.getDomainMap()), Y);
  return values(Y);
}

bool says(SmoothedAggregation<> const& M, std::string const& part) {
  return M.description().find(part) != std::string::npos;
}

struct Life : testing::Test {
  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
};

TEST_F(Life, StatesFollowTheCalls) {
  SmoothedAggregation<> M(A);
  EXPECT_FALSE(M.isInitialized());
  EXPECT_FALSE(M.isComputed());
  M.initialize();
  EXPECT_TRUE(M.isInitialized());
  EXPECT_FALSE(M.isComputed());
  M.compute();
  EXPECT_TRUE(M.isComputed());
  M.initialize();
  EXPECT_TRUE(M.isInitialized());
  EXPECT_FALSE(M.isComputed()) << "initialize() destroys earlier state";
}

TEST_F(Life, ComputeInitializesWhereThatWasForgotten) {
  SmoothedAggregation<> M(A);
  M.compute();
  EXPECT_TRUE(M.isInitialized());
  EXPECT_EQ(M.getNumInitialize(), 1);
  M.compute();
  EXPECT_EQ(M.getNumInitialize(), 1);
  EXPECT_EQ(M.getNumCompute(), 2);
}

TEST_F(Life, CallsAreCountedAndTimed) {
  SmoothedAggregation<> M(A);
  M.initialize();
  M.compute();
  applied(M);
  applied(M);
  EXPECT_EQ(M.getNumApply(), 2);
  EXPECT_GT(M.getInitializeTime(), 0);
  EXPECT_GT(M.getComputeTime(), 0);
  EXPECT_GT(M.getApplyTime(), 0);
}

TEST_F(Life, TimersAreTeuchosCounters) {
  SmoothedAggregation<> M(A);
  M.compute();
  applied(M);
  for (auto const* name : {"initialize", "compute", "apply"}) {
    auto const timer =
        Teuchos::TimeMonitor::lookupCounter(std::string("Tessera::SmoothedAggregation::") + name);
    ASSERT_FALSE(timer.is_null()) << name;
    EXPECT_GT(timer->numCalls(), 0) << name;
  }
  auto const timer = Teuchos::TimeMonitor::lookupCounter("Tessera::SmoothedAggregation::apply");
  auto list = parameters();
  list.set("timer for apply", false);
  M.setParameters(list);
  int const before = timer->numCalls();
  applied(M);
  EXPECT_EQ(timer->numCalls(), before);
}

TEST_F(Life, ChangedValuesAreRefreshedBitwiseAsAFreshSetupWould) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters());
  M.compute();
  EXPECT_TRUE(says(M, "Last compute: \"setup\"")) << M.description();
  auto const first = applied(M);
  A->resumeFill();
  A->scale(2.0);
  A->fillComplete();
  M.compute();
  EXPECT_TRUE(says(M, "Last compute: \"refresh")) << M.description();
  auto const second = applied(M);
  EXPECT_NE(first, second);
  SmoothedAggregation<> fresh(A);
  fresh.setParameters(parameters());
  fresh.compute();
  EXPECT_EQ(second, applied(fresh));
}

TEST_F(Life, WithoutPreparationNewValuesMeanANewSetup) {
  SmoothedAggregation<> M(A);
  auto list = parameters();
  list.set("reuse: prepare refresh", false);
  M.setParameters(list);
  M.compute();
  auto const first = applied(M);
  A->resumeFill();
  A->scale(2.0);
  A->fillComplete();
  M.compute();
  EXPECT_TRUE(says(M, "\"setup\"")) << M.description();
  SmoothedAggregation<> fresh(A);
  fresh.setParameters(list);
  fresh.compute();
  EXPECT_NE(applied(M), first);
  EXPECT_EQ(applied(M), applied(fresh));
}

TEST_F(Life, ValuesThatChangeBetweenInitializeAndComputeCount) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters());
  M.initialize();
  A->resumeFill();
  A->scale(2.0);
  A->fillComplete();
  M.compute();
  SmoothedAggregation<> fresh(A);
  fresh.setParameters(parameters());
  fresh.compute();
  EXPECT_EQ(applied(M), applied(fresh));
}

TEST_F(Life, InitializeForgetsTheHierarchy) {
  SmoothedAggregation<> M(A);
  M.compute();
  M.initialize();
  M.compute();
  EXPECT_TRUE(says(M, "\"setup\"")) << M.description();
}

TEST_F(Life, ChangedParametersMakeAFreshSetupAndEqualOnesDoNot) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters());
  M.compute();
  M.setParameters(parameters());
  M.compute();
  EXPECT_TRUE(says(M, "refresh")) << M.description();
  auto list = parameters();
  list.set("chebyshev: degree", 3);
  M.setParameters(list);
  M.compute();
  EXPECT_TRUE(says(M, "\"setup\"")) << M.description();
}

TEST_F(Life, ParametersAreASnapshot) {
  SmoothedAggregation<> M(A);
  auto list = parameters();
  list.set<std::string>("precision: hierarchy", "double");
  M.setParameters(list);
  EXPECT_TRUE(says(M, "Precision: double"));
  M.setParameters(parameters());
  EXPECT_TRUE(says(M, "Precision: float"));
}

TEST_F(Life, ExchangingTheMatrixResetsStates) {
  SmoothedAggregation<> M(A);
  M.compute();
  M.setMatrix(A);
  EXPECT_TRUE(M.isComputed()) << "the same matrix changes nothing";
  auto const B = laplacian(map, side, 3.0);
  M.setMatrix(B);
  EXPECT_FALSE(M.isInitialized());
  EXPECT_FALSE(M.isComputed());
  EXPECT_EQ(M.getMatrix().getRawPtr(), B.getRawPtr());
  M.compute();  // without initialize(), as MueLu calls it
  SmoothedAggregation<> fresh(B);
  fresh.compute();
  EXPECT_EQ(applied(M), applied(fresh));
  EXPECT_EQ(M.getNumInitialize(), 2);
}

TEST_F(Life, ReuseDecidesWhatOutlivesAnExchange) {
  struct Case {
    char const *type, *done;
  };
  for (Case const expected : {Case{"none", "\"setup\""}, Case{"tP", "refresh"}, Case{"full", "reuse"}}) {
    SmoothedAggregation<> M(A);
    auto list = parameters();
    list.set<std::string>("reuse: type", expected.type);
    M.setParameters(list);
    M.compute();
    auto const first = applied(M);
    M.setMatrix(laplacian(map, side, 2.0));
    M.compute();
    EXPECT_TRUE(says(M, expected.done)) << expected.type << ": " << M.description();
    EXPECT_EQ(applied(M) == first, std::string(expected.type) == "full") << expected.type;
  }
}

TEST_F(Life, NothingIsReusedOnAnotherPattern) {
  for (auto const* type : {"tP", "full"}) {
    SmoothedAggregation<> M(A);
    auto list = parameters();
    list.set<std::string>("reuse: type", type);
    M.setParameters(list);
    M.compute();
    auto const identity = diagonal(map);
    M.setMatrix(identity);
    M.compute();
    EXPECT_TRUE(says(M, "\"setup\"")) << M.description();
    SmoothedAggregation<> fresh(identity);
    fresh.setParameters(list);
    fresh.compute();
    EXPECT_EQ(applied(M), applied(fresh));
  }
}

TEST_F(Life, WithoutMatrixOnlyWhatNeedsOneIsRefused) {
  SmoothedAggregation<> M(Teuchos::null);
  EXPECT_NO_THROW(M.setParameters(parameters()));
  EXPECT_THROW(M.initialize(), std::runtime_error);
  EXPECT_THROW(M.compute(), std::runtime_error);
  EXPECT_THROW(M.getDomainMap(), std::runtime_error);
  EXPECT_THROW(M.getRangeMap(), std::runtime_error);
  EXPECT_TRUE(M.getMatrix().is_null());
  EXPECT_TRUE(says(M, "Matrix: null"));
  M.setMatrix(A);
  EXPECT_NO_THROW(M.compute());
  M.setMatrix(Teuchos::null);
  EXPECT_FALSE(M.isComputed());
  EXPECT_THROW(M.compute(), std::runtime_error);
}

TEST_F(Life, RanksWithoutRowsAndScatteredMapsWork) {
  auto const B = laplacian(scattered_map(side * side), side);
  SmoothedAggregation<> M(B);
  M.setParameters(parameters());
  M.compute();
  auto const b = waves(B->getDomainMap());
  MultiVector x(B->getDomainMap(), 1);
  M.apply(*b, x);
  EXPECT_GT(dot(x, *b), 0);
}

TEST_F(Life, VerbosityDecidesWhatComputePrints) {
  auto const printed = [&](char const* verbosity, RCP<CrsMatrix> const& matrix) {
    SmoothedAggregation<> M(matrix);
    auto list = parameters();
    list.set<std::string>("verbosity", verbosity);
    list.sublist("smoother: params").set("chebyshev: degree", 3);
    M.setParameters(list);
    std::ostringstream text;
    auto const before = Teuchos::VerboseObjectBase::getDefaultOStream();
    Teuchos::VerboseObjectBase::setDefaultOStream(
        Teuchos::fancyOStream(Teuchos::rcpFromRef<std::ostream>(text)));
    M.compute();
    Teuchos::VerboseObjectBase::setDefaultOStream(before);
    return text.str();
  };
  auto const has = [](std::string const& text, char const* part) {
    return text.find(part) != std::string::npos;
  };
  bool const speaks = world()->getRank() == 0;
  EXPECT_EQ(printed("low", A), "");
  EXPECT_EQ(has(printed("medium", A), "Operator complexity"), speaks);
  EXPECT_FALSE(has(printed("medium", A), "Seconds by phase"));
  EXPECT_EQ(has(printed("high", A), "Seconds by phase"), speaks);
  EXPECT_EQ(has(printed("high", A), "\"chebyshev: degree\": 3"), speaks);
  auto const uncoupled = diagonal(map);  // nothing to aggregate, too large for the coarsest level
  EXPECT_EQ(printed("none", uncoupled), "");
  EXPECT_EQ(has(printed("low", uncoupled), "Tessera: warning: "), speaks);
}

TEST_F(Life, TheDescriptionIsOneYamlMap) {
  SmoothedAggregation<> M(A);
  EXPECT_TRUE(says(M, "Backend: \"auto (compute() chooses)\""));
  M.compute();
  std::string const text = M.description(), why_host = core::why_no_cuda();
  EXPECT_EQ(text.find("\"Tessera::SmoothedAggregation\": {Initialized: true, Computed: true"), 0u) << text;
  EXPECT_NE(text.find(why_host.empty() ? "Backend: \"cuda (auto: " : "Backend: \"host (auto: " + why_host),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Global matrix dimensions: [400, 400], Global nnz: 1920}"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(M.getObjectLabel(), "Tessera::SmoothedAggregation");
}

TEST_F(Life, DescribePrintsTheHierarchyOnRankZero) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters());
  auto const described = [&](Teuchos::EVerbosityLevel level) {
    std::ostringstream text;
    Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
    M.describe(out, level);
    return text.str();
  };
  bool const speaks = world()->getRank() == 0;
  EXPECT_EQ(described(Teuchos::VERB_LOW).find("Computed: false") != std::string::npos, speaks);
  M.compute();
  EXPECT_EQ(described(Teuchos::VERB_NONE), "");
  auto const low = described(Teuchos::VERB_LOW);
  EXPECT_EQ(low, described(Teuchos::VERB_DEFAULT));
  EXPECT_EQ(low.find("nonzeros") != std::string::npos, speaks) << low;
  EXPECT_EQ(low.find("Operator complexity: ") != std::string::npos, speaks) << low;
  EXPECT_EQ(low.find("coarse: max size"), std::string::npos);
  EXPECT_EQ(described(Teuchos::VERB_MEDIUM).find("\"coarse: max size\": 30") != std::string::npos, speaks);
  EXPECT_EQ(described(Teuchos::VERB_HIGH).find("Scalar: double") != std::string::npos, speaks);
  EXPECT_EQ(low.empty(), !speaks);
}

}  // namespace
}  // namespace Tessera::test
