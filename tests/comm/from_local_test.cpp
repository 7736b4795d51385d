#include "from_local_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace Tessera {
namespace {

using test::Share;

template <class Position>
void expect_the_same_matrix(Share share, bool reversed) {
  auto const A = test::square_case(share);
  auto const rows = test::own_rows<Position>(A, reversed);
  auto const made = comm::from_local(Host{}, A.rows, test::local_rows(rows));
  EXPECT_EQ(made.halo.ghosts(), A.halo.ghosts());
  EXPECT_EQ(made.local.rows, A.local.rows);
  EXPECT_EQ(made.local.columns, A.local.columns);
  EXPECT_EQ(core::to_vector(Host{}, made.local.offsets.view()),
            core::to_vector(Host{}, A.local.offsets.view()));
  EXPECT_EQ(core::to_vector(Host{}, made.local.column.view()),
            core::to_vector(Host{}, A.local.column.view()));
  EXPECT_EQ(made.local.value.data(), rows.value.data()) << "values are not copied";
  EXPECT_EQ(core::to_vector(Host{}, made.local.value.view()), core::to_vector(Host{}, A.local.value.view()));
}

TEST(FromLocal, IsTheMatrixFromGlobalColumns) {
  for (auto const share : test::all_shares) {
    for (bool const reversed : {false, true}) {
      expect_the_same_matrix<std::int32_t>(share, reversed);
      expect_the_same_matrix<Offset>(share, reversed);
    }
  }
}

TEST(FromLocal, ProductsAreThoseOfADenseLoop) {
  auto const rows = test::share_rows(test::world(), Share::unequal, 7);
  auto const n = rows.global_size();
  auto const dense = test::random_dense(n, n, 11);
  auto const own = test::own_rows<std::int32_t>(test::distributed(dense, rows, rows), true);
  auto const A = comm::from_local(Host{}, rows, test::local_rows(own));
  std::vector<double> x, y(static_cast<std::size_t>(rows.local_size()));
  for (auto i = rows.begin(); i < rows.end(); ++i) x.push_back(static_cast<double>(i % 5) - 2);
  comm::multiply(Host{}, A, Span<double const>(x.data(), x.size()), Span<double>(y.data(), y.size()));
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    double sum = 0, scale = 0;
    for (GlobalIndex j = 0; j < n; ++j) {
      sum += dense(i, j) * (static_cast<double>(j % 5) - 2);
      scale += std::abs(dense(i, j)) * 2;
    }
    EXPECT_NEAR(y[static_cast<std::size_t>(i - rows.begin())], sum, 1e-14 * scale);
  }
}

TEST(FromLocal, NewValuesInTheSameArrayAreTheMatrix) {
  auto const A = test::square_case(Share::equal);
  auto rows = test::own_rows<Offset>(A, false);
  auto const made = comm::from_local(Host{}, A.rows, test::local_rows(rows));
  rows.value.front() = 17;
  EXPECT_EQ(made.local.value[0], 17);
  EXPECT_TRUE(made.local.offsets.is_borrowed());
  EXPECT_TRUE(made.local.column.is_borrowed());
}

/// Expects this error text on every rank if the arrays of the last rank are invalid.
template <class Position, class Spoil>
void expect_error(Spoil const& spoil, std::string const& text) {
  auto const A = test::square_case(Share::equal);
  auto rows = test::own_rows<Position>(A, false);
  if (A.rows.comm().rank() + 1 == A.rows.comm().size()) spoil(rows);
  auto const before = rows.column;
  try {
    comm::from_local(Host{}, A.rows, test::local_rows(rows));
    ADD_FAILURE() << "not refused: " << text;
  } catch (core::InvalidInput const& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
  EXPECT_EQ(rows.column, before);
}

template <class Position>
void expect_every_error() {
  using Rows = test::OwnRows<Position>;
  expect_error<Position>([](Rows& r) { r.offsets.pop_back(); },
                         "row offsets; give one more than the number of rows");
  expect_error<Position>([](Rows& r) { r.offsets.front() = 1; }, "has offsets 1 and");
  expect_error<Position>([](Rows& r) { r.offsets[3] = -1; }, "has offsets");
  expect_error<Position>([](Rows& r) { r.offsets[2] = r.offsets[1] - 1; }, "do not descend");
  expect_error<Position>([](Rows& r) { r.offsets.back() -= 1; }, "end at the");
  expect_error<Position>([](Rows& r) { r.offsets[1] = std::numeric_limits<Position>::max(); },
                         "has offsets 0");
  expect_error<Position>([](Rows& r) { r.value.pop_back(); }, "give the same number of each");
  expect_error<Position>([](Rows& r) { r.column[2] = -1; }, "local column -1");
  expect_error<Position>([](Rows& r) { r.column.back() = 1 << 30; }, "local column 1073741824");
  expect_error<Position>(
      [](Rows& r) {
        auto const last = static_cast<std::size_t>(r.offsets[6]);  // this row has at least one entry
        r.column.insert(r.column.begin() + static_cast<std::ptrdiff_t>(last), r.column[last]);
        r.value.insert(r.value.begin() + static_cast<std::ptrdiff_t>(last), 1.0);
        r.offsets[7] += 1;
      },
      "has several entries in local column");
  expect_error<Position>([](Rows& r) { r.value[1] = std::nan(""); }, "is not finite (not a number)");
  expect_error<Position>([](Rows& r) { r.value.back() = HUGE_VAL; }, "is not finite (inf)");
  expect_error<Position>([](Rows& r) { r.ghost_columns.push_back(-1); }, "column -1 does not exist");
  expect_error<Position>([](Rows& r) { r.ghost_columns.push_back(1000); }, "column 1000 does not exist");
}

TEST(FromLocal, EveryErrorFailsOnAllRanks) {
  expect_every_error<std::int32_t>();
  expect_every_error<Offset>();
}

TEST(FromLocal, GhostColumnsAreNeitherOwnedNorTwice) {
  auto const A = test::square_case(Share::equal);
  expect_error<Offset>([&](auto& r) { r.ghost_columns.push_back(A.rows.end() - 1); },
                       "is owned by this rank");
  if (A.rows.comm().size() == 1) return;
  expect_error<Offset>([](auto& r) { r.ghost_columns.insert(r.ghost_columns.end(), 2, 0); },
                       "has two local indices");
}

TEST(FromLocal, TheLargestMagnitudeIsInfiniteWhereAValueIsNotFinite) {
  double const infinity = std::numeric_limits<double>::infinity();
  auto const of = [](std::vector<double> const& values) {
    return comm::largest_magnitude(Host{}, {values.data(), values.size()});
  };
  EXPECT_EQ(of({}), 0.0);
  EXPECT_EQ(of({2, -3, 1}), 3.0);
  EXPECT_EQ(of({2, -infinity, 1}), infinity);
  EXPECT_EQ(of({2, std::numeric_limits<double>::quiet_NaN(), 1}), infinity);
}

TEST(FromLocal, NullPointersAreRefused) {
  auto const A = test::square_case(Share::equal);
  auto const rows = test::own_rows<Offset>(A, false);
  auto given = test::local_rows(rows);
  given.value = {nullptr, given.value.size()};
  EXPECT_THROW(comm::from_local(Host{}, A.rows, given), core::InvalidInput);
}

TEST(FromLocal, ErrorsUseTheUsersNameOfTheFirstRow) {
  auto const A = test::square_case(Share::equal);
  auto rows = test::own_rows<Offset>(A, false);
  rows.value[static_cast<std::size_t>(rows.offsets[2])] = rows.value.back() = std::nan("");
  auto given = test::local_rows(rows);
  given.user_row = [](Index i) { return GlobalIndex{100} + i; };
  try {
    comm::from_local(Host{}, A.rows, given);
    ADD_FAILURE() << "not refused";
  } catch (core::InvalidInput const& error) {
    EXPECT_EQ(std::string(error.what()).rfind("row 102 has a value in local column", 0), 0) << error.what();
  }
}

}  // namespace
}  // namespace Tessera
