#include "belos/traits_checks.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

std::shared_ptr<belos::Residence const> on_device() {
  return belos::make_residence(device_of_rank(), uneven_rows());
}

TEST(BelosTraitsGpu, BelosOwnVectorTestPasses) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  belos_own_vector_test_passes(on_device());
}

TEST(BelosTraitsGpu, BelosOwnOperatorTestPasses) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const residence = on_device();
  auto const& device = std::get<Cuda>(residence->space());
  auto const matrix = comm::copied(Host{}, banded_matrix(residence->rows()), device);
  belos_own_operator_test_passes(residence, belos::MatrixOperator(residence, matrix, true));
}

TEST(BelosTraitsGpu, ViewsShareMemory) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  views_share_memory(on_device());
}

TEST(BelosTraitsGpu, CombiningIgnoresVectorsWithTheCoefficientZero) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  combining_forgets_what_is_not_read(on_device());
}

TEST(BelosTraitsGpu, SmallMatricesMultiply) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  small_matrices_multiply(on_device());
}

TEST(BelosTraitsGpu, SumsRunOverAllRanks) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  sums_run_over_all_ranks(on_device());
}

TEST(BelosTraitsGpu, SetBlockTakesTheFirstColumns) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  set_block_takes_the_first_columns(on_device());
}

/// Sums over many blocks of the fixed tree are bitwise those of the host, as are all other results.
TEST(BelosTraitsGpu, EverythingIsBitwiseAsOnTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  comm::Distribution const rows(comm::Communicator(MPI_COMM_WORLD), 100003);
  auto const run = [](std::shared_ptr<belos::Residence const> const& residence) {
    Vectors X(residence, 3), Y(residence, 2);
    auto const random = [&](Vectors& V, std::uint64_t seed) {
      std::vector<double*> columns;
      for (int j = 0; j < V.columns(); ++j) columns.push_back(V.column(j));
      residence->randomise(seed, {columns.data(), columns.size()});
    };
    random(X, 1);
    random(Y, 9);
    Matrix C(3, 2);
    X.innerProducts(1, Y, C);
    Y.multiplyAdd(0.25, X, C, -1.5);
    auto all = numbers_of(Y, 1);
    for (double norm : Y.norms2()) all.push_back(norm);
    for (double norm : Y.norms1()) all.push_back(norm);
    for (double norm : Y.normsInf()) all.push_back(norm);
    return all;
  };
  EXPECT_EQ(run(belos::make_residence(Host{}, rows)), run(belos::make_residence(device_of_rank(), rows)));
}

}  // namespace
}  // namespace Tessera::test
