// What Ifpack2 asks of apply(): alpha, beta, shared memory, NaN, several columns, transposes.
#include <gtest/gtest.h>

#include <limits>

#include "kinds.hpp"
#include "multigrid/reported_levels.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 24;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Apply : testing::TestWithParam<Kind> {
  void SetUp() override {
    map = uniform_map(side * side);
    M = GetParam().make(laplacian(map, side));
    M->setParameters(GetParam().parameters);
    M->compute();
  }
  /// M^-1 X into a new vector.
  RCP<MultiVector> inverse(MultiVector const& X) const {
    auto Y = rcp(new MultiVector(map, X.getNumVectors()));
    M->apply(X, *Y);
    return Y;
  }

  RCP<Map const> map;
  RCP<Ours> M;
};

TEST_P(Apply, IsLinearUpToRounding) {
  auto const X = waves(map, 2);
  MultiVector sum(map, 1);
  sum.update(2.0, *X->getVector(0), -3.0, *X->getVector(1), 0.0);
  auto const left = inverse(sum), right = inverse(*X);
  MultiVector expected(map, 1);
  expected.update(2.0, *right->getVector(0), -3.0, *right->getVector(1), 0.0);
  double const scale = std::sqrt(dot(expected, expected));
  expected.update(1.0, *left, -1.0);
  EXPECT_LT(std::sqrt(dot(expected, expected)), 1e-5 * scale);
}

TEST_P(Apply, IsSymmetricAndPositive) {
  auto const X = waves(map, 2);
  auto const x = X->getVector(0), y = X->getVector(1);
  double const xMy = dot(*x, *inverse(*y)), yMx = dot(*y, *inverse(*x)), xMx = dot(*x, *inverse(*x));
  EXPECT_GT(xMx, 0);
  EXPECT_NEAR(xMy, yMx, 1e-6 * xMx);
}

TEST_P(Apply, IsTheSameToTheBitInEveryModeOfCommunication) {
  auto const X = waves(map, 2);
  auto const expected = values(*inverse(*X));
  for (auto const* const mode : {"none", "task", "naive", "auto", "task"}) {
    auto list = GetParam().parameters;
    list.set<std::string>("communication: mode", mode);
    M->setParameters(list);
    M->compute();
    EXPECT_EQ(values(*inverse(*X)), expected) << mode;
  }
}

TEST_P(Apply, AlphaAndBetaAreHonoured) {
  auto const X = waves(map, 2);
  auto const base = values(*inverse(*X));
  for (double const alpha : {0.0, 1.0, -2.0}) {
    for (double const beta : {0.0, 1.0, 0.5}) {
      MultiVector Y(map, 2);
      Y.putScalar(3.0);
      M->apply(*X, Y, Teuchos::NO_TRANS, alpha, beta);
      auto const got = values(Y);
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_DOUBLE_EQ(got[i], alpha * base[i] + beta * 3.0) << "alpha " << alpha << ", beta " << beta;
      }
    }
  }
}

TEST_P(Apply, WithBetaZeroNanInYDoesNotSurvive) {
  auto const X = waves(map);
  auto const base = values(*inverse(*X));
  for (double const alpha : {0.0, 1.0, 2.0}) {
    MultiVector Y(map, 1);
    Y.putScalar(not_a_number);
    M->apply(*X, Y, Teuchos::NO_TRANS, alpha, 0.0);
    auto const got = values(Y);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_DOUBLE_EQ(got[i], alpha * base[i]);
  }
}

TEST_P(Apply, WithAlphaZeroNanInXDoesNotMatter) {
  MultiVector X(map, 1), Y(map, 1);
  X.putScalar(not_a_number);
  Y.putScalar(4.0);
  M->apply(X, Y, Teuchos::NO_TRANS, 0.0, 0.5);
  for (double const value : values(Y)) ASSERT_EQ(value, 2.0);
}

TEST_P(Apply, XAndYMayBeTheSameVector) {
  for (double const beta : {0.0, 1.0}) {
    auto const X = waves(map, 2);
    MultiVector Y(*X, Teuchos::Copy), expected(*X, Teuchos::Copy);
    M->apply(*X, expected, Teuchos::NO_TRANS, 2.0, beta);
    M->apply(Y, Y, Teuchos::NO_TRANS, 2.0, beta);
    EXPECT_EQ(values(Y), values(expected));
  }
}

TEST_P(Apply, XAndYMayBeViewsOfOneVector) {
  auto const both = waves(map, 4);
  auto const x = both->subViewNonConst(Teuchos::Range1D(0, 1));
  auto const y = both->subViewNonConst(Teuchos::Range1D(2, 3));
  auto const expected = values(*inverse(MultiVector(*x, Teuchos::Copy)));
  M->apply(*x, *y);
  EXPECT_EQ(values(*y), expected);
}

TEST_P(Apply, EachColumnIsAppliedAsIfAlone) {
  for (int const columns : {2, 3, 8, 11}) {  // one by one, a part of a block, a block, and more
    auto const X = waves(map, columns);
    auto const together = inverse(*X);
    for (int c = 0; c < columns; ++c) {
      EXPECT_EQ(values(*together->getVector(c)), values(*inverse(*X->getVector(c))))
          << "column " << c << " of " << columns;
    }
  }
}

TEST_P(Apply, ColumnsMayBeScattered) {
  auto const X = waves(map, 4);
  Teuchos::Array<std::size_t> const columns(Teuchos::tuple<std::size_t>(3, 0));
  MultiVector Y(map, 4);
  auto const y = Y.subViewNonConst(columns());
  M->apply(*X->subView(columns()), *y);
  EXPECT_EQ(values(*Y.getVector(3)), values(*inverse(*X->getVector(3))));
  EXPECT_EQ(values(*Y.getVector(0)), values(*inverse(*X->getVector(0))));
  for (double const value : values(*Y.getVector(1))) ASSERT_EQ(value, 0.0);
}

TEST_P(Apply, TheTransposeIsTheSame) {
  auto const X = waves(map);
  MultiVector Y(map, 1);
  ASSERT_TRUE(M->hasTransposeApply());
  M->apply(*X, Y, Teuchos::TRANS);
  EXPECT_EQ(values(Y), values(*inverse(*X)));
  M->apply(*X, Y, Teuchos::CONJ_TRANS);
  EXPECT_EQ(values(Y), values(*inverse(*X)));
}

TEST_P(Apply, DifferentNumbersOfColumnsAreRefused) {
  MultiVector Y(map, 2);
  EXPECT_THROW(M->apply(*waves(map), Y), std::runtime_error);
}

TEST_P(Apply, ScalesBeyondFloatAreNoLoss) {
  auto const X = waves(map, 2);
  auto const base = values(*inverse(*X));
  for (int const exponent : {40, 150, 500, 1000}) {
    auto scaled = rcp(new MultiVector(*X, Teuchos::Copy));
    double const up = std::ldexp(1.0, exponent), down = std::ldexp(1.0, -exponent);
    scaled->scale(Teuchos::tuple<double>(up, down)());
    auto const got = values(*inverse(*scaled));
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], base[i] * (2 * i < got.size() ? up : down)) << "2^" << exponent << ", entry " << i;
  }
}

/// Its steps divide sums of squares.
TEST_P(Apply, ScalesWhoseSquaresAreOutOfRangeAreNoLossToAKCycle) {
  if (M->hierarchyReport() == nullptr) return;
  for (auto const* precision : {"double", "float"}) {
    auto list = GetParam().parameters;
    list.set<std::string>("cycle type", "K");
    list.set<std::string>("precision: hierarchy", precision);
    M->setParameters(list);
    M->compute();
    auto const X = waves(map);
    auto const base = values(*inverse(*X));
    for (int const exponent : {-990, -600, 600, 990}) {
      MultiVector scaled(*X, Teuchos::Copy);
      scaled.scale(std::ldexp(1.0, exponent));
      auto const got = values(*inverse(scaled));
      for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_EQ(got[i], std::ldexp(base[i], exponent)) << precision << exponent << ", entry " << i;
    }
  }
}

TEST_P(Apply, NumbersThatAreNoneStaySo) {
  MultiVector X(map, 1), Y(map, 1);
  X.putScalar(not_a_number);
  M->apply(X, Y);
  for (double const value : values(Y)) ASSERT_TRUE(std::isnan(value));
  X.putScalar(0.0);
  M->apply(X, Y);
  for (double const value : values(Y)) ASSERT_EQ(value, 0.0);
}

/// `more` rows more than `map` has on the last rank, and as many on the others.
RCP<Map const> with_more_rows(RCP<Map const> const& map, int more) {
  auto const comm = map->getComm();
  bool const last = comm->getRank() + 1 == comm->getSize();
  std::size_t const rows = MultiVector(map, 1).getLocalLength() + (last ? more : 0);
  return rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(), rows, 0, comm));
}

TEST_P(Apply, VectorsOfOtherLengthsAreRefusedOnAllRanks) {
  auto const X = waves(map, 2);
  MultiVector Y(map, 2);
  for (int const more : {-5, 5, 5000}) {
    auto const other = with_more_rows(map, more);
    MultiVector wrong(other, 2);
    wrong.putScalar(1.0);
    for (auto const mode : {Teuchos::NO_TRANS, Teuchos::TRANS, Teuchos::CONJ_TRANS}) {
      for (double const alpha : {0.0, 1.0, 2.0}) {
        for (double const beta : {0.0, 1.0}) {
          EXPECT_THROW(M->apply(wrong, Y, mode, alpha, beta), std::invalid_argument) << more;
          EXPECT_THROW(M->apply(*X, wrong, mode, alpha, beta), std::invalid_argument) << more;
          EXPECT_THROW(M->apply(wrong, wrong, mode, alpha, beta), std::invalid_argument) << more;
        }
      }
    }
  }
  EXPECT_EQ(M->getNumApply(), 0);
  M->apply(*X, Y);
  EXPECT_EQ(values(Y), values(*inverse(*X)));
}

TEST_P(Apply, AMapOfTheCallersOwnIsTakenWhereItHasAsManyRows) {
  auto const X = waves(map);
  auto const expected = values(*inverse(*X));
  auto const own = with_more_rows(map, 0);
  for (int times = 0; times < 3; ++times) {
    MultiVector mine(own, 1), Y(own, 1);
    for (std::size_t i = 0; i < mine.getLocalLength(); ++i)
      mine.replaceLocalValue(static_cast<int>(i), 0, X->getData(0)[static_cast<int>(i)]);
    M->apply(mine, Y);
    EXPECT_EQ(values(Y), expected);
    MultiVector wrong(with_more_rows(map, 1), 1);
    EXPECT_THROW(M->apply(mine, wrong), std::invalid_argument);
  }
}

TEST_P(Apply, BeforeComputeItIsRefused) {
  auto const pointer = GetParam().make(laplacian(map, side));
  auto& fresh = *pointer;
  MultiVector Y(map, 1);
  EXPECT_THROW(fresh.apply(*waves(map), Y), std::runtime_error);
  fresh.initialize();
  EXPECT_THROW(fresh.apply(*waves(map), Y), std::runtime_error);
  EXPECT_EQ(fresh.getNumApply(), 0);
}

TESSERA_ALL_KINDS(Apply);

struct ApplyOfAHierarchy : testing::Test {
  RCP<Map const> map = uniform_map(side * side);
  SmoothedAggregation<> M{laplacian(map, side)};
};

TEST_F(ApplyOfAHierarchy, WithoutPostsmoothingThereIsNoTranspose) {
  Teuchos::ParameterList list;
  list.set<std::string>("smoother: pre or post", "pre");
  M.setParameters(list);
  M.compute();
  EXPECT_FALSE(M.hasTransposeApply());
  auto const X = waves(map);
  MultiVector Y(map, 1);
  EXPECT_NO_THROW(M.apply(*X, Y));
  EXPECT_THROW(M.apply(*X, Y, Teuchos::TRANS), std::runtime_error);
}

TEST_F(ApplyOfAHierarchy, OnlyVAndWCyclesAreLinearAndSymmetricAndKSaysSo) {
  for (std::string const cycle : {"V", "W", "F", "K"}) {
    Teuchos::ParameterList list;
    list.set("cycle type", cycle).set("coarse: max size", 20);
    M.setParameters(list);
    M.compute();
    EXPECT_EQ(M.hasTransposeApply(), cycle == "V" || cycle == "W") << cycle;
    bool const said = M.description().find("a K-cycle is not linear") != std::string::npos;
    EXPECT_EQ(said, cycle == "K") << M.description();
    EXPECT_EQ(M.hierarchyReport()->cycle.substr(0, 1), cycle);
  }
}

TEST_F(ApplyOfAHierarchy, RichardsonConverges) {
  auto const A = laplacian(map, side);
  auto const b = waves(map);
  M.setParameters(smoothed_aggregation().parameters);
  M.compute();
  MultiVector x(map, 1), r(*b, Teuchos::Copy);
  for (int step = 0; step < 40; ++step) {
    M.apply(r, x, Teuchos::NO_TRANS, 1.0, 1.0);
    r.update(1.0, *b, 0.0);
    A->apply(x, r, Teuchos::NO_TRANS, -1.0, 1.0);
  }
  EXPECT_LT(relative_residual(*A, x, *b), 1e-6);
}

}  // namespace
}  // namespace Tessera::test
