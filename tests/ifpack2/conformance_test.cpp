// What Ifpack2's own tests ask of a preconditioner's life, of what each ready list makes, also where a rank
// has no rows.
#include <gtest/gtest.h>

#include <Teuchos_VerboseObject.hpp>
#include <cmath>
#include <sstream>

#include "Tessera_Details_Preconditioner.hpp"
#include "kinds.hpp"
#include "stratimikos/presets.hpp"

namespace Tessera::test {
namespace {

/// Divisible by all the numbers of equations that the lists have.
constexpr int side = 30;

/// Whole nodes of six rows dealt out to all ranks but the last.
RCP<Map const> nodes_map() {
  auto const comm = world();
  int const holders = std::max(1, comm->getSize() - 1);
  std::vector<long long> mine;
  for (long long node = comm->getRank(); node < side * side / 6 && comm->getRank() < holders; node += holders)
    for (int row = 0; row < 6; ++row) mine.push_back(6 * node + row);
  return rcp(new Map(
      side * side, Teuchos::ArrayView<long long const>(mine.data(), static_cast<int>(mine.size())), 0, comm));
}

struct LifeOfList : testing::TestWithParam<std::string> {
  LifeOfList() {
    list.set("verbosity", "none");
    for (auto const& map : {uniform_map(side * side), nodes_map()}) matrices.push_back(laplacian(map, side));
  }

  RCP<Ours> made(RCP<RowMatrix const> const& A) const { return Details::create(list, A); }
  RCP<Ours> computed(RCP<RowMatrix const> const& A) const {
    auto const M = made(A);
    M->initialize();
    M->compute();
    return M;
  }

  Teuchos::ParameterList list = preconditioner_parameters(GetParam());
  std::vector<RCP<CrsMatrix>> matrices;
};

bool no_number(double value) {
  return !std::isfinite(value);
}

TEST_P(LifeOfList, FlagsCountsAndTimesFollowTheCalls) {
  for (auto const& A : matrices) {
    auto const M = made(A);
    auto const expect = [&](bool initialized, bool computed, int initialize, int compute, int apply) {
      EXPECT_EQ(M->isInitialized(), initialized);
      EXPECT_EQ(M->isComputed(), computed);
      EXPECT_EQ(M->getNumInitialize(), initialize);
      EXPECT_EQ(M->getNumCompute(), compute);
      EXPECT_EQ(M->getNumApply(), apply);
    };
    expect(false, false, 0, 0, 0);
    EXPECT_EQ(M->getInitializeTime() + M->getComputeTime() + M->getApplyTime(), 0);
    M->initialize();
    expect(true, false, 1, 0, 0);
    M->compute();
    expect(true, true, 1, 1, 0);
    double const first = M->getComputeTime();
    M->compute();
    expect(true, true, 1, 2, 0);
    EXPECT_GT(M->getComputeTime(), first);
    applied(*M);
    expect(true, true, 1, 2, 1);
    double const one = M->getApplyTime(), once = M->getInitializeTime();
    applied(*M);
    EXPECT_GT(M->getApplyTime(), one);
    EXPECT_GT(one, 0);
    M->initialize();
    expect(true, false, 2, 2, 2);
    EXPECT_GT(M->getInitializeTime(), once);
    EXPECT_GT(once, 0);
  }
}

TEST_P(LifeOfList, InitializingAndComputingTwiceChangesNothing) {
  for (auto const& A : matrices) {
    auto const M = computed(A);
    auto const once = applied(*M);
    EXPECT_EQ(std::count_if(once.begin(), once.end(), no_number), 0);
    EXPECT_EQ(applied(*M), once);
    M->compute();
    EXPECT_EQ(applied(*M), once);
    M->initialize();
    M->initialize();
    M->compute();
    EXPECT_EQ(applied(*M), once);
    EXPECT_EQ(applied(*computed(A)), once);
  }
}

TEST_P(LifeOfList, ApplyBeforeComputeIsRefused) {
  for (auto const& A : matrices) {
    auto const M = made(A);
    auto const X = waves(A->getDomainMap());
    MultiVector Y(A->getRangeMap(), 1);
    EXPECT_THROW(M->apply(*X, Y), std::runtime_error);
    M->initialize();
    EXPECT_THROW(M->apply(*X, Y), std::runtime_error);
    EXPECT_EQ(M->getNumApply(), 0);
    M->compute();
    EXPECT_NO_THROW(M->apply(*X, Y));
  }
}

TEST_P(LifeOfList, ApplyScalesAddsAndTakesColumnsThatMayBeItsResult) {
  for (auto const& A : matrices) {
    auto const M = computed(A);
    auto const map = A->getRangeMap();
    auto const X = waves(map, 3);
    MultiVector Y(map, 3);
    M->apply(*X, Y);
    auto const alone = values(Y);
    // Y = beta Y + alpha M^-1 X.
    MultiVector Z(map, 3);
    Z.putScalar(2);
    M->apply(*X, Z, Teuchos::NO_TRANS, 3, 0.5);
    auto const sum = values(Z);
    for (std::size_t i = 0; i < sum.size(); ++i)
      EXPECT_NEAR(sum[i], 1 + 3 * alone[i], 1e-13 * std::abs(sum[i]));
    // Beta = 0 overwrites, alpha = 0 ignores.
    Z.putScalar(std::nan(""));
    M->apply(*X, Z, Teuchos::NO_TRANS, 1, 0);
    EXPECT_EQ(values(Z), alone);
    Z.putScalar(4);
    M->apply(*X, Z, Teuchos::NO_TRANS, 0, 0.25);
    EXPECT_EQ(values(Z), std::vector<double>(alone.size(), 1.0));
    // Columns as if alone.
    for (std::size_t c = 0; c < 3; ++c) {
      MultiVector y(map, 1);
      M->apply(*X->getVector(c), y);
      EXPECT_EQ(values(y), values(*Y.getVector(c))) << c;
    }
    // X is Y, and columns of one vector.
    MultiVector both(*X, Teuchos::Copy);
    M->apply(both, both);
    EXPECT_EQ(values(both), alone);
    MultiVector views(*X, Teuchos::Copy);
    M->apply(*views.getVector(0), *views.getVectorNonConst(0));
    EXPECT_EQ(values(*views.getVector(0)), values(*Y.getVector(0)));
    EXPECT_EQ(values(*views.getVector(1)), values(*X->getVector(1)));
    MultiVector two(map, 2);
    EXPECT_THROW(M->apply(*X, two), std::runtime_error);
  }
}

TEST_P(LifeOfList, AnotherMatrixMakesWhatAFreshOneMakes) {
  for (auto const& A : matrices) {
    auto const M = computed(A);
    auto const of_A = applied(*M);
    M->setMatrix(A);
    EXPECT_TRUE(M->isComputed());
    auto const B = laplacian(A->getRowMap(), side, 1, 1);
    M->setMatrix(B);
    EXPECT_FALSE(M->isInitialized());
    EXPECT_FALSE(M->isComputed());
    EXPECT_EQ(M->getMatrix().getRawPtr(), B.getRawPtr());
    M->initialize();
    M->compute();
    EXPECT_EQ(applied(*M), applied(*computed(B)));
    M->setMatrix(A);
    M->initialize();
    M->compute();
    EXPECT_EQ(applied(*M), of_A);
    M->setMatrix(Teuchos::null);
    EXPECT_TRUE(M->getMatrix().is_null());
    EXPECT_THROW(M->compute(), std::runtime_error);
  }
}

TEST_P(LifeOfList, MapsAndCommunicatorAreTheMatrix) {
  for (auto const& A : matrices) {
    auto const M = computed(A);
    EXPECT_TRUE(M->getDomainMap()->isSameAs(*A->getDomainMap()));
    EXPECT_TRUE(M->getRangeMap()->isSameAs(*A->getRangeMap()));
    EXPECT_EQ(M->getComm()->getSize(), A->getComm()->getSize());
    EXPECT_EQ(M->getComm()->getRank(), A->getComm()->getRank());
  }
}

TEST_P(LifeOfList, ItDescribesItselfAtEachVerbosity) {
  for (auto const& A : matrices) {
    for (auto const& M : {made(A), computed(A)}) {
      auto const said = M->description();
      EXPECT_FALSE(said.empty());
      EXPECT_EQ(said.find('\n'), std::string::npos) << said;
      std::size_t last = 0;
      for (auto const level : {Teuchos::VERB_NONE, Teuchos::VERB_LOW, Teuchos::VERB_MEDIUM,
                               Teuchos::VERB_HIGH, Teuchos::VERB_EXTREME}) {
        std::ostringstream text;
        Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
        M->describe(out, level);
        bool const speaks = world()->getRank() == 0 && level != Teuchos::VERB_NONE;
        EXPECT_EQ(text.str().empty(), !speaks) << level;
        EXPECT_GE(text.str().size(), last) << level;
        last = text.str().size();
      }
    }
  }
}

TEST_P(LifeOfList, ParametersStayAsTheyAreAndServeAgain) {
  for (auto const& A : matrices) {
    auto const before = list;
    auto const M = computed(A);
    auto const once = applied(*M);
    EXPECT_TRUE(list == before);
    M->setParameters(list);
    M->compute();
    EXPECT_EQ(applied(*M), once);
    auto const N = made(A);
    N->setParameters(list);
    N->compute();
    EXPECT_EQ(applied(*N), once);
    EXPECT_TRUE(list == before);
    auto wrong = list;
    wrong.set("no such parameter", 1);
    EXPECT_THROW(M->setParameters(wrong), std::invalid_argument);
    M->compute();
    EXPECT_EQ(applied(*M), once);
    Teuchos::ParameterList empty("list.xml");
    EXPECT_NO_THROW(M->setParameters(empty));
    EXPECT_EQ(empty.numParams(), 0);
  }
}

std::string as_identifier(testing::TestParamInfo<std::string> const& info) {
  return info.param;
}

INSTANTIATE_TEST_SUITE_P(ReadyLists, LifeOfList, testing::ValuesIn(preset_names()), as_identifier);

}  // namespace
}  // namespace Tessera::test
