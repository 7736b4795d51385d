#include "cli/verdict.hpp"

#include <gtest/gtest.h>

#include <new>

#include "core/error.hpp"

namespace Tessera::cli {
namespace {

int this_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int last_rank() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks - 1;
}

/// Status and what this rank printed.
struct Result {
  int status;
  std::string printed;
};

Result agree(std::function<int()> const& work) {
  testing::internal::CaptureStderr();
  int const status = run_and_agree(MPI_COMM_WORLD, work);
  return {status, testing::internal::GetCapturedStderr()};
}

TEST(RunAndAgree, WorkThatSucceedsEverywhereIsSilent) {
  auto const result = agree([] { return static_cast<int>(converged); });
  EXPECT_EQ(result.status, converged);
  EXPECT_EQ(result.printed, "");
}

TEST(RunAndAgree, AllRanksHaveTheWorstStatus) {
  auto const result = agree([] { return this_rank() == last_rank() ? not_converged : converged; });
  EXPECT_EQ(result.status, not_converged);
}

TEST(RunAndAgree, OneMessageIsPrintedIfAllRanksThrow) {
  auto const result = agree([]() -> int { throw core::InvalidInput("A.mtx:3: no"); });
  EXPECT_EQ(result.status, bad_input);
  EXPECT_EQ(result.printed, this_rank() == 0 ? "tessera: A.mtx:3: no\n" : "");
}

TEST(RunAndAgree, TheMessageOfOneFailedRankIsPrinted) {
  auto const result = agree([]() -> int {
    if (this_rank() == last_rank()) throw core::NumericalError("row 7");
    return converged;
  });
  EXPECT_EQ(result.status, bad_input);
  EXPECT_EQ(result.printed, this_rank() == 0 ? "tessera: row 7\n" : "");
}

TEST(RunAndAgree, TheWorstErrorIsPrinted) {
  auto const result = agree([]() -> int {
    if (this_rank() == last_rank()) throw std::bad_alloc();
    throw core::InvalidInput("quieter");
  });
  EXPECT_EQ(result.status, internal_error);
  EXPECT_EQ(result.printed.empty(), this_rank() != 0);
  if (this_rank() == 0) {
    EXPECT_NE(result.printed.find("out of memory"), std::string::npos);
  }
}

TEST(RunAndAgree, ThrownObjectsThatAreNoExceptionsAreReported) {
  auto const result = agree([]() -> int { throw 7; });
  EXPECT_EQ(result.status, internal_error);
  EXPECT_EQ(result.printed.empty(), this_rank() != 0);
}

TEST(Agreed, AllRanksKnowTheMessage) {
  auto const ending = agreed(MPI_COMM_WORLD, []() -> int {
    if (this_rank() == last_rank()) throw core::InvalidInput("line 3");
    return not_converged;
  });
  EXPECT_EQ(ending.status, bad_input);
  EXPECT_EQ(ending.message, "line 3");
}

}  // namespace
}  // namespace Tessera::cli
