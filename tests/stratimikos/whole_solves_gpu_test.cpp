#include "stratimikos/whole_solves.hpp"
#include "support/device.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::test {
namespace {

TEST(WholeSolvesOnTheGpu, IterationsAreThoseOfBelos) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  iterations_are_those_of_belos("cuda");
}

TEST(WholeSolvesOnTheGpu, OneCallDoesTheSame) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  one_call_does_the_same("cuda");
}

TEST(WholeSolvesOnTheGpu, NewValuesAreRefreshed) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  new_values_are_refreshed("cuda");
}

TEST(WholeSolvesOnTheGpu, ValuesThatChangeDirectionGetASetup) {
  for (std::string const linear : {"Tessera", "Belos"})
    values_that_change_direction_get_a_setup("cuda", linear);
}

TEST(WholeSolvesOnTheGpu, ANewMatrixIsSolved) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  a_new_matrix_is_solved("cuda");
}

TEST(WholeSolvesOnTheGpu, PreconditionersMayBeOfAnotherMatrix) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  preconditioners_may_be_of_another_matrix("cuda");
}

TEST(WholeSolvesOnTheGpu, CriteriaAreKept) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  criteria_are_kept("cuda");
}

/// A setup sends A to the device, with 8 bytes a row for offsets; a refresh sends the values of A; a solve
/// sends b and x, and returns x. All other transfers are small arrays: sizes, plans, the coarsest level.
TEST(WholeSolvesOnTheGpu, MatrixAndVectorsCrossTheBusOnce) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  constexpr int large = 400, columns = 2;
  auto const A = laplacian(uniform_map(large * large), large);
  auto const b = waves(A->getRowMap(), columns);
  auto const x = rcp(new MultiVector(A->getRowMap(), columns));
  auto const rows = static_cast<long long>(A->getGlobalNumRows());
  auto const entries = static_cast<long long>(A->getGlobalNumEntries());
  long long const matrix_values = 8 * entries, matrix_bytes = 12 * entries + 8 * rows,
                  vectors = 8 * columns * rows;
  bool const alone = world()->getSize() == 1;  // with several ranks, halos may pass through the host
  auto const near = [&](long long moved, long long expected, char const* what) {
    if (tpetra::vectors_on_device) {  // A, b and x are there
      EXPECT_LT(moved, 100000) << what;
      return;
    }
    EXPECT_GE(moved, expected) << what;
    if (alone) {
      EXPECT_LE(moved, expected + expected / 10) << what;
    }
  };
  auto const factory = factory_of(list_of("Tessera", "cuda"));
  auto const op = wrapped(A);
  auto const solver = factory->createOp();
  Thyra::initializeOp(*factory, op, solver.ptr());
  auto status = solve(*solver, *b, x);
  near(bytes(status, "Setup Bytes To Device"), matrix_bytes, "A up");
  for (int solves = 0; solves < 2; ++solves) {
    near(bytes(status, "Bytes To Device"), 2 * vectors, "b and x up");
    near(bytes(status, "Bytes To Host"), vectors, "x down");
    status = solve(*solver, *b, x);
  }
  A->resumeFill();
  A->scale(2);
  A->fillComplete();
  Thyra::initializeOp(*factory, op, solver.ptr());
  status = solve(*solver, *b, x);
  EXPECT_EQ(text_of(status, "Setup").find("refresh"), 0u);
  near(bytes(status, "Setup Bytes To Device"), matrix_values, "values of A up");
  if (alone) {
    EXPECT_LE(bytes(status, "Setup Bytes To Host"), matrix_bytes / 10);
  }
}

}  // namespace
}  // namespace Tessera::test
