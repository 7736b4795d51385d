#pragma once
/// \file
/// A small matrix with known entries on maps of every kind.
#include <Teuchos_DefaultMpiComm.hpp>
#include <string>
#include <vector>

#include "tpetra/types.hpp"

namespace Tessera::tpetra::sample {

constexpr int rows = 11;

/// Row i couples to i - 1, i, i + 1 and to rows - 1 - i; no entry is zero, no two are equal.
inline bool coupled(int i, int j) {
  return (i - j <= 1 && j - i <= 1) || i + j == rows - 1;
}
inline double entry(int i, int j) {
  return coupled(i, j) ? 1 + 100 * i + j : 0;
}

inline Teuchos::RCP<Teuchos::Comm<int> const> world() {
  return Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_WORLD));
}

/// A distribution of the rows, and their global indices.
struct Layout {
  std::string name;
  int (*owner)(int row, int ranks);
  GlobalOrdinal first;  ///< row i has the global index first + i * step
  GlobalOrdinal step;

  GlobalOrdinal id(int row) const { return first + row * step; }
  int row(GlobalOrdinal id) const { return static_cast<int>((id - first) / step); }

  /// The rows of a rank, descending on odd ranks so that local order is not global order.
  std::vector<int> rows_of(int rank, int ranks) const {
    std::vector<int> mine;
    for (int i = 0; i < rows; ++i) {
      if (owner(i, ranks) == rank) mine.push_back(i);
    }
    if (name == "round robin" && rank % 2 == 1) return {mine.rbegin(), mine.rend()};
    return mine;
  }
  Teuchos::RCP<Map const> map() const {
    auto const comm = world();
    std::vector<GlobalOrdinal> ids;
    for (int const i : rows_of(comm->getRank(), comm->getSize())) ids.push_back(id(i));
    return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<::Tpetra::global_size_t>::invalid(),
                                Teuchos::arrayViewFromVector(ids), first, comm));
  }
};

inline std::vector<Layout> layouts() {
  auto const blocks = [](int row, int ranks) { return row * ranks / rows; };
  auto const round_robin = [](int row, int ranks) { return row % ranks; };
  auto const last_rank = [](int, int ranks) { return ranks - 1; };
  auto const odd_ranks_empty = [](int row, int ranks) { return row % ((ranks + 1) / 2) * 2; };
  return {{"contiguous", blocks, 0, 1},
          {"round robin", round_robin, 0, 1},
          {"all on the last rank", last_rank, 0, 1},
          {"odd ranks empty", odd_ranks_empty, 1, 1},
          {"negative and spread ids", round_robin, -35, 7}};
}

/// entry(i, j) * scale. without: this row lacks its far coupling.
inline Teuchos::RCP<CrsMatrix> matrix(Layout const& layout, double scale = 1, int without = -1) {
  auto const map = layout.map();
  auto const A = Teuchos::rcp(new CrsMatrix(map, 4));
  for (auto const id : local_elements(*map)) {
    int const i = layout.row(id);
    for (int j = 0; j < rows; ++j) {
      if (!coupled(i, j) || (i == without && i + j == rows - 1)) continue;
      A->insertGlobalValues(id, Teuchos::tuple(layout.id(j)), Teuchos::tuple(scale * entry(i, j)));
    }
  }
  A->fillComplete();
  return A;
}

}  // namespace Tessera::tpetra::sample
