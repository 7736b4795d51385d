// The life of a preconditioner: states, counts, refresh and reuse, exchange of matrices, describing itself.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <Teuchos_StackedTimer.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <sstream>

#include "core/device.hpp"
#include "core/version.hpp"
#include "kinds.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 20;

bool says(Ours const& M, std::string const& part) {
  return M.description().find(part) != std::string::npos;
}

struct Life : testing::TestWithParam<Kind> {
  RCP<Ours> make(RCP<CrsMatrix const> const& matrix) const { return GetParam().make(matrix); }
  Teuchos::ParameterList parameters() const { return GetParam().parameters; }

  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
};

TEST_P(Life, StatesFollowTheCalls) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
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

TEST_P(Life, TheDescriptionHasTheVersion) {
  EXPECT_TRUE(says(*make(A), "Version: " + core::version())) << make(A)->description();
}

TEST_P(Life, ComputeInitializesWhereThatWasForgotten) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  M.compute();
  EXPECT_TRUE(M.isInitialized());
  EXPECT_EQ(M.getNumInitialize(), 1);
  M.compute();
  EXPECT_EQ(M.getNumInitialize(), 1);
  EXPECT_EQ(M.getNumCompute(), 2);
}

// Solves that take more and more iterations with what was kept get a setup.
TEST_P(Life, ARefreshThatCostsTooMuchIsFollowedByASetup) {
  for (int const allowed : {0, 20}) {
    auto const M_pointer = make(A);
    auto& M = *M_pointer;
    auto list = parameters();
    list.set("reuse: excess iterations", allowed);
    M.setParameters(list);
    auto const step = [&](int applications) {
      M.compute();
      for (int k = 0; k < applications; ++k) applied(M);
    };
    step(5);
    step(6);
    step(26);
    EXPECT_TRUE(says(M, "refresh (")) << M.description();
    step(5);
    EXPECT_EQ(says(M, "setup (refreshes had cost too many iterations)"), allowed > 0) << M.description();
    auto const fresh = make(A);
    fresh->setParameters(list);
    fresh->compute();
    EXPECT_EQ(applied(M), applied(*fresh));
    step(5);
    EXPECT_TRUE(says(M, "refresh (")) << M.description();
  }
}

TEST_P(Life, CallsAreCountedAndTimed) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  M.initialize();
  M.compute();
  applied(M);
  applied(M);
  EXPECT_EQ(M.getNumApply(), 2);
  EXPECT_GT(M.getInitializeTime(), 0);
  EXPECT_GT(M.getComputeTime(), 0);
  EXPECT_GT(M.getApplyTime(), 0);
}

TEST_P(Life, TimersAreTeuchosCounters) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  M.compute();
  applied(M);
  for (auto const* name : {"initialize", "compute", "apply"}) {
    auto const timer = Teuchos::TimeMonitor::lookupCounter(GetParam().name + "::" + name);
    ASSERT_FALSE(timer.is_null()) << name;
    EXPECT_GT(timer->numCalls(), 0) << name;
  }
  auto const timer = Teuchos::TimeMonitor::lookupCounter(GetParam().name + "::apply");
  auto list = parameters();
  list.set("timer for apply", false);
  M.setParameters(list);
  int const before = timer->numCalls();
  applied(M);
  EXPECT_EQ(timer->numCalls(), before);
}

TEST_P(Life, PhasesAreTeuchosCountersOnRequest) {
  auto const calls = [](std::string const& name) {
    auto const timer = Teuchos::TimeMonitor::lookupCounter("Tessera: " + name);
    return timer.is_null() ? 0 : timer->numCalls();
  };
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  bool const sparse_inverse = GetParam().name == std::string("Tessera::Fsai");
  std::vector<std::string> names{"setup", sparse_inverse ? "sparse inverse" : "cycle",
                                 sparse_inverse ? "pattern" : "level 0",
                                 sparse_inverse ? "storage" : "smoother"};
  for (bool const on : {false, true}) {
    auto list = parameters();
    list.set("timer for phases", on);
    M.setParameters(list);
    std::vector<int> before;
    for (auto const& name : names) before.push_back(calls(name));
    M.initialize();
    M.compute();
    applied(M);
    for (std::size_t k = 0; k < names.size(); ++k) EXPECT_EQ(calls(names[k]) > before[k], on) << names[k];
  }
  auto const stacked = Teuchos::rcp(new Teuchos::StackedTimer("all"));
  Teuchos::TimeMonitor::setStackedTimer(stacked);
  M.compute();  // a refresh
  M.compute();
  applied(M);
  stacked->stopBaseTimer();  // throws if a region is open
  Teuchos::TimeMonitor::setStackedTimer(Teuchos::null);
  std::ostringstream text;
  Teuchos::StackedTimer::OutputOptions options;
  stacked->report(text, A->getComm(), options);
  if (A->getComm()->getRank() == 0) {  // the rank that prints
    EXPECT_NE(text.str().find("Tessera: refresh"), std::string::npos) << text.str();
  }
}

/// Regions of Kokkos, as a tool sees them: "(name" and ")".
std::string kokkos_regions;

// A tool of Kokkos sees each region once, with Teuchos timers and without.
TEST_P(Life, PhasesAreRegionsOfKokkos) {
  namespace Tools = Kokkos::Tools::Experimental;
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  for (bool const timers : {false, true}) {
    auto list = parameters();
    list.set("timer for phases", timers);
    list.set("timer for apply", false);  // which Teuchos makes a region, too
    M.setParameters(list);
    M.initialize();
    M.compute();
    kokkos_regions.clear();
    Tools::set_push_region_callback([](char const* name) { kokkos_regions += std::string("(") + name; });
    Tools::set_pop_region_callback([] { kokkos_regions += ")"; });
    EXPECT_TRUE(Kokkos::Profiling::profileLibraryLoaded());
    applied(M);
    Tools::set_push_region_callback(nullptr);
    Tools::set_pop_region_callback(nullptr);
    bool const sparse_inverse = GetParam().name == std::string("Tessera::Fsai");
    std::string const one = sparse_inverse ? "(Tessera: sparse inverse)" : "(Tessera: cycle)";
    auto rest = kokkos_regions;  // a bootstrap has several cycles
    while (rest.rfind(one, 0) == 0) rest.erase(0, one.size());
    EXPECT_TRUE(rest.empty() && !kokkos_regions.empty()) << kokkos_regions;
  }
}

TEST_P(Life, ChangedValuesAreRefreshedBitwiseAsAFreshSetupWould) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
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
  auto const fresh_pointer = make(A);
  auto& fresh = *fresh_pointer;
  fresh.setParameters(parameters());
  fresh.compute();
  EXPECT_EQ(second, applied(fresh));
}

TEST(PreparedRefreshes, AreBitwiseThoseOfAFreshSetup) {
  auto const kind = smoothed_aggregation();
  auto const A = laplacian(uniform_map(side * side), side);
  auto list = kind.parameters;
  list.set("reuse: prepare refresh", "first");
  auto const made = [&] {
    auto M = kind.make(A);
    M->setParameters(list);
    M->compute();
    return M;
  };
  auto const prepared = made();
  EXPECT_TRUE(says(*prepared, "Last compute: \"setup\"")) << prepared->description();
  A->resumeFill();
  A->scale(4.0);
  A->fillComplete();
  prepared->compute();
  EXPECT_TRUE(says(*prepared, "Last compute: \"refresh")) << prepared->description();
  list.set("reuse: prepare refresh", "second");
  EXPECT_EQ(applied(*prepared), applied(*made()));
}

TEST_P(Life, ValuesThatChangeBetweenInitializeAndComputeCount) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  M.setParameters(parameters());
  M.initialize();
  A->resumeFill();
  A->scale(2.0);
  A->fillComplete();
  M.compute();
  auto const fresh_pointer = make(A);
  auto& fresh = *fresh_pointer;
  fresh.setParameters(parameters());
  fresh.compute();
  EXPECT_EQ(applied(M), applied(fresh));
}

TEST_P(Life, InitializeForgetsWhatWasMade) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  M.compute();
  M.initialize();
  M.compute();
  EXPECT_TRUE(says(M, "\"setup\"")) << M.description();
}

TEST_P(Life, ChangedParametersMakeAFreshSetupAndEqualOnesDoNot) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  M.setParameters(parameters());
  M.compute();
  M.setParameters(parameters());
  M.compute();
  EXPECT_TRUE(says(M, "refresh")) << M.description();
  M.setParameters(GetParam().changed);
  M.compute();
  EXPECT_TRUE(says(M, "\"setup\"")) << M.description();
}

TEST_P(Life, ParametersAreASnapshot) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  auto list = parameters();
  list.set<std::string>("precision: hierarchy", "double");
  M.setParameters(list);
  EXPECT_TRUE(says(M, "Precision: double"));
  M.setParameters(parameters());
  EXPECT_TRUE(says(M, "Precision: float"));
}

TEST_P(Life, ExchangingTheMatrixResetsStates) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  M.compute();
  M.setMatrix(A);
  EXPECT_TRUE(M.isComputed()) << "the same matrix changes nothing";
  auto const B = laplacian(map, side, 3.0);
  M.setMatrix(B);
  EXPECT_FALSE(M.isInitialized());
  EXPECT_FALSE(M.isComputed());
  EXPECT_EQ(M.getMatrix().getRawPtr(), B.getRawPtr());
  M.compute();  // without initialize(), as MueLu calls it
  auto const fresh_pointer = make(B);
  auto& fresh = *fresh_pointer;
  fresh.compute();
  EXPECT_EQ(applied(M), applied(fresh));
  EXPECT_EQ(M.getNumInitialize(), 2);
}

TEST_P(Life, ReuseDecidesWhatOutlivesAnExchange) {
  struct Case {
    char const *type, *done;
  };
  for (Case const expected : {Case{"none", "\"setup\""}, Case{"tP", "refresh"}, Case{"full", "reuse"}}) {
    auto const M_pointer = make(A);
    auto& M = *M_pointer;
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

TEST_P(Life, NothingIsReusedOnAnotherPattern) {
  for (auto const* type : {"tP", "full"}) {
    auto const M_pointer = make(A);
    auto& M = *M_pointer;
    auto list = parameters();
    list.set<std::string>("reuse: type", type);
    M.setParameters(list);
    M.compute();
    auto const identity = diagonal(map);
    M.setMatrix(identity);
    M.compute();
    EXPECT_TRUE(says(M, "\"setup\"")) << M.description();
    auto const fresh_pointer = make(identity);
    auto& fresh = *fresh_pointer;
    fresh.setParameters(list);
    fresh.compute();
    EXPECT_EQ(applied(M), applied(fresh));
  }
}

TEST_P(Life, WithoutMatrixOnlyWhatNeedsOneIsRefused) {
  auto const M_pointer = make(Teuchos::null);
  auto& M = *M_pointer;
  EXPECT_NO_THROW(M.setParameters(parameters()));
  EXPECT_THROW(M.initialize(), std::runtime_error);
  try {
    M.compute();
    ADD_FAILURE() << "a matrix was not missed";
  } catch (
      std::runtime_error const& error) {  // which begins with whose it is, not with a place in the source
    EXPECT_EQ(std::string(error.what()).find(GetParam().name + "::compute: there is no matrix"), 0u)
        << error.what();
  }
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

TEST_P(Life, RanksWithoutRowsAndScatteredMapsWork) {
  auto const B = laplacian(scattered_map(side * side), side);
  auto const M_pointer = make(B);
  auto& M = *M_pointer;
  M.setParameters(parameters());
  M.compute();
  auto const b = waves(B->getDomainMap());
  MultiVector x(B->getDomainMap(), 1);
  M.apply(*b, x);
  EXPECT_GT(dot(x, *b), 0);
}

TEST_P(Life, TheDescriptionIsOneYamlMap) {
  auto const M_pointer = make(A);
  auto& M = *M_pointer;
  EXPECT_TRUE(says(M, "Backend: \"auto (initialize() chooses)\""));
  M.compute();
  std::string const text = M.description(), why_host = core::cuda_unavailable_reason();
  EXPECT_EQ(text.find("\"" + GetParam().name + "\": {Initialized: true, Computed: true"), 0u) << text;
  EXPECT_NE(text.find(why_host.empty() ? "Backend: \"cuda (auto: " : "Backend: \"host (auto: " + why_host),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Global matrix dimensions: [400, 400], Global nnz: 1920}"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(M.getObjectLabel(), GetParam().name);
}

TESSERA_ALL_KINDS(Life);

}  // namespace
}  // namespace Tessera::test
