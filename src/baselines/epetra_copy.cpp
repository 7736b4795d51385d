#include "baselines/epetra_copy.hpp"

#include <Epetra_Map.h>
#include <Epetra_MpiComm.h>

#include <Teuchos_DefaultMpiComm.hpp>
#include <limits>
#include <vector>

#include "core/error.hpp"

namespace Tessera::baselines {
namespace {

MPI_Comm raw(Teuchos::Comm<int> const& comm) {
  auto const* mpi = dynamic_cast<Teuchos::MpiComm<int> const*>(&comm);
  return mpi ? (*mpi->getRawMpiComm())() : MPI_COMM_SELF;
}

Epetra_Map copy_map(Matrix::map_type const& map, Epetra_Comm const& comm) {
  TESSERA_VALIDATE(
      map.getMaxAllGlobalIndex() <= std::numeric_limits<int>::max(), "global index ",
      map.getMaxAllGlobalIndex(),
      " exceeds 32 bits (ML uses Epetra, whose indices have 32 bits); choose another preconditioner");
  auto const gids = map.getMyGlobalIndices();
  std::vector<int> mine(gids.extent(0));
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = static_cast<int>(gids(i));
  return Epetra_Map(-1, static_cast<int>(mine.size()), mine.data(), 0, comm);
}

}  // namespace

std::unique_ptr<Epetra_CrsMatrix> copy_to_epetra(Matrix const& A) {
  Epetra_MpiComm const comm(raw(*A.getRowMap()->getComm()));
  auto const rows = copy_map(*A.getRowMap(), comm);
  auto const columns = copy_map(*A.getColMap(), comm);
  auto const local = A.getLocalMatrixHost();
  auto const n = rows.NumMyElements();
  std::vector<int> lengths(n);
  for (int i = 0; i < n; ++i)
    lengths[i] = static_cast<int>(local.graph.row_map(i + 1) - local.graph.row_map(i));
  auto E = std::make_unique<Epetra_CrsMatrix>(Copy, rows, columns, lengths.data(), true);
  for (int i = 0; i < n; ++i) {
    auto const begin = local.graph.row_map(i);
    E->InsertMyValues(i, lengths[i], local.values.data() + begin, local.graph.entries.data() + begin);
  }
  E->FillComplete(copy_map(*A.getDomainMap(), comm), copy_map(*A.getRangeMap(), comm));
  E->OptimizeStorage();
  return E;
}

}  // namespace Tessera::baselines
