#include "whole.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_DefaultMpiComm.hpp>
#include <algorithm>

#include "tpetra/types.hpp"

namespace Tessera::gallery {

namespace {

/// The sum over ranks; one rank has each entry, all other ranks have zero.
oracle::Dense summed(oracle::Dense local, Teuchos::Comm<int> const& comm) {
  auto all = local;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, static_cast<int>(local.value.size()), local.value.data(),
                     all.value.data());
  return all;
}

}  // namespace

CommPtr world() {
  return Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_WORLD));
}

CommPtr alone() {
  return Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF));
}

oracle::Dense whole(tpetra::CrsMatrix const& A) {
  auto const n = static_cast<Index>(A.getGlobalNumRows());
  oracle::Dense dense(n, n);
  auto const local = A.getLocalMatrixHost();
  auto const rows = tpetra::local_elements(*A.getRowMap());
  auto const columns = tpetra::local_elements(*A.getColMap());
  for (int i = 0; i < rows.size(); ++i) {
    for (auto k = local.graph.row_map(i); k < local.graph.row_map(i + 1); ++k) {
      dense(static_cast<Index>(rows[i]), static_cast<Index>(columns[local.graph.entries(k)])) +=
          local.values(k);
    }
  }
  return summed(std::move(dense), *A.getComm());
}

oracle::Dense whole(tpetra::MultiVector const& X) {
  oracle::Dense dense(static_cast<Index>(X.getGlobalLength()), static_cast<Index>(X.getNumVectors()));
  auto const rows = tpetra::local_elements(*X.getMap());
  for (std::size_t c = 0; c < X.getNumVectors(); ++c) {
    auto const data = X.getData(c);
    for (int i = 0; i < rows.size(); ++i) dense(static_cast<Index>(rows[i]), static_cast<Index>(c)) = data[i];
  }
  return summed(std::move(dense), *X.getMap()->getComm());
}

std::vector<std::vector<GlobalIndex>> pattern(tpetra::CrsMatrix const& A) {
  auto const local = A.getLocalMatrixHost();
  auto const columns = tpetra::local_elements(*A.getColMap());
  std::vector<std::vector<GlobalIndex>> rows(tpetra::local_size(*A.getRowMap()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (auto k = local.graph.row_map(i); k < local.graph.row_map(i + 1); ++k) {
      rows[i].push_back(columns[local.graph.entries(k)]);
    }
    std::sort(rows[i].begin(), rows[i].end());
  }
  return rows;
}

}  // namespace Tessera::gallery
