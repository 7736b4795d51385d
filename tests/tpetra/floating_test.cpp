#include "tpetra/matrix_checks.hpp"

#include <gtest/gtest.h>

#include <map>

#include "sample.hpp"

namespace Tessera::tpetra {
namespace {

/// A path of `nodes` rows that takes each step-th row from `first` on, fixed at its first row by `held_by`.
struct Path {
  int first, step, nodes;
  double held_by;
};

Teuchos::RCP<CrsMatrix> paths(Teuchos::RCP<Map const> const& map, std::vector<Path> const& all) {
  auto const A = Teuchos::rcp(new CrsMatrix(map, 3));
  auto const add = [&](GlobalOrdinal row, GlobalOrdinal column, double value) {
    if (map->isNodeGlobalElement(row)) A->insertGlobalValues(row, 1, &value, &column);
  };
  for (auto const& path : all) {
    add(path.first, path.first, path.held_by);
    for (int k = 0; k + 1 < path.nodes; ++k) {
      GlobalOrdinal const i = path.first + k * path.step, j = i + path.step;
      double const weight = 0.1 * (1 + k % 7);
      add(i, i, weight), add(j, j, weight), add(i, j, -weight), add(j, i, -weight);
    }
  }
  A->fillComplete();
  return A;
}

Teuchos::RCP<Map const> dealt_out(GlobalOrdinal n) {
  auto const comm = sample::world();
  std::vector<GlobalOrdinal> mine;
  for (GlobalOrdinal i = comm->getRank(); i < n; i += comm->getSize()) mine.push_back(i);
  return Teuchos::rcp(
      new Map(static_cast<::Tpetra::global_size_t>(n),
              Teuchos::ArrayView<GlobalOrdinal const>(mine.data(), static_cast<int>(mine.size())), 0, comm));
}

/// Checks the label of each row, on a cyclic map, on which a path changes the rank in every step, and on a
/// map of contiguous blocks.
void expect_labels(std::vector<Path> const& all, GlobalOrdinal n, double zero_from,
                   std::map<GlobalOrdinal, GlobalOrdinal> const& first_of) {
  auto const comm = sample::world();
  Teuchos::RCP<Map const> const blocks =
      Teuchos::rcp(new Map(static_cast<::Tpetra::global_size_t>(n), 0, comm));
  for (auto const& map : {dealt_out(n), blocks}) {
    auto const A = paths(map, all);
    MultiVector V(map, 2);
    for (int i = 0; i < static_cast<int>(local_size(*map)); ++i) {
      V.replaceLocalValue(i, 0, 1.0);
      V.replaceLocalValue(i, 1, static_cast<double>(map->getGlobalElement(i)) < zero_from ? 3.0 : 0.0);
    }
    auto const label = floating_components(*A, V);
    for (std::size_t i = 0; i < label.size(); ++i) {
      auto const row = map->getGlobalElement(static_cast<int>(i));
      auto const found = first_of.find(row);
      EXPECT_EQ(label[i], found == first_of.end() ? not_floating : found->second) << "row " << row;
    }
  }
}

// Rows 0, 3, ..., 27 are a fixed path, 1, 4, ..., 28 and 2, 5, ..., 29 are floating ones.
TEST(FloatingComponents, AreNamedByTheirFirstRows) {
  std::map<GlobalOrdinal, GlobalOrdinal> expected;
  for (GlobalOrdinal row = 0; row < 30; ++row)
    if (row % 3 != 0) expected[row] = row % 3;
  expect_labels({{0, 3, 10, 0.5}, {1, 3, 10, 0}, {2, 3, 10, 0}}, 30, 1e9, expected);
}

// A weak coupling to the ground fixes a component like a strong one; a row without couplings is fixed.
TEST(FloatingComponents, AreThoseWithoutSupport) {
  expect_labels({{0, 1, 20, 1e-10}, {20, 1, 1, 1}}, 21, 1e9, {});
}

// The second vector is not in the nullspace of a component on which it varies.
TEST(FloatingComponents, HaveAllVectorsInTheirNullspace) {
  std::map<GlobalOrdinal, GlobalOrdinal> second;
  for (GlobalOrdinal row = 10; row < 20; ++row) second[row] = 10;
  expect_labels({{0, 1, 10, 0}, {10, 1, 10, 0}}, 20, 5, second);
}

}  // namespace
}  // namespace Tessera::tpetra
