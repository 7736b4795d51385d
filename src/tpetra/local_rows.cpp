#include "tpetra/local_rows.hpp"

#include <Teuchos_Array.hpp>
#include <Teuchos_DefaultMpiComm.hpp>
#include <Teuchos_DefaultSerialComm.hpp>

#include "core/device.hpp"
#include "core/error.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {
namespace {

/// The number of the device that Kokkos computes on; -1: a host.
template <class Execution>
int device_of_node(Execution const& execution) {
  if constexpr (vectors_on_device) {
    return execution.cuda_device();
  } else {
    return -1;
  }
}

}  // namespace

comm::Communicator communicator(Teuchos::Comm<int> const& comm) {
  if (auto const* mpi = dynamic_cast<Teuchos::MpiComm<int> const*>(&comm)) {
    return comm::Communicator((*mpi->getRawMpiComm())());
  }
  TESSERA_VALIDATE(dynamic_cast<Teuchos::SerialComm<int> const*>(&comm) != nullptr,
                   "Tpetra's communicator is neither a Teuchos::MpiComm nor a Teuchos::SerialComm (",
                   comm.description(), "): use one of these, so that Tessera finds the MPI communicator");
  return {};
}

Teuchos::RCP<Import const> column_import(RowMatrix const& A) {
  auto const domain = A.getDomainMap();
  auto const column_map = A.getColMap();
  if (domain->isSameAs(*column_map)) return Teuchos::null;
  // Other row matrices may have no graph (a null pointer, or an exception), or hand out that of a matrix that
  // they restrict (Ifpack2::LocalFilter), with its Import.
  if (auto const* crs = dynamic_cast<CrsMatrix const*>(&A)) {
    auto const import = crs->getGraph()->getImporter();
    if (!import.is_null() && import->getSourceMap()->isSameAs(*domain) &&
        import->getTargetMap()->isSameAs(*column_map)) {
      return import;
    }
  }
  return Teuchos::rcp(new Import(domain, column_map));
}

bool begins_with_rows(Map const& columns, Map const& rows) {
  return local_size(rows) == 0 || columns.isLocallyFitted(rows);  // an empty map may have any bounds
}

std::vector<GlobalIndex> columns_of_others(Map const& row_map, Map const& columns,
                                           comm::Distribution const& rows) {
  auto const first = local_size(row_map), count = local_size(columns) - first;
  Teuchos::Array<GlobalOrdinal> wanted(count);
  for (std::size_t k = 0; k < count; ++k)
    wanted[k] = columns.getGlobalElement(static_cast<LocalOrdinal>(first + k));
  Teuchos::Array<int> rank(count);
  Teuchos::Array<LocalOrdinal> there(count);
  if (!rows.comm().any(count > 0)) return {};
  row_map.getRemoteIndexList(wanted(), rank(), there());
  std::vector<GlobalIndex> others;
  for (std::size_t k = 0; k < count; ++k)
    others.push_back(rank[k] < 0 ? -1 : rows.begin(rank[k]) + there[k]);  // -1: comm::from_local() refuses it
  return others;
}

comm::LocalRows<Offset> local_rows(CrsMatrix const& A) {
  auto const local = A.getLocalMatrixDevice();
  Node::execution_space().fence();
  auto const* const offsets = local.graph.row_map.data();
  static_assert(sizeof *offsets == sizeof(Offset));
  comm::LocalRows<Offset> rows;
  rows.offsets = {reinterpret_cast<Offset const*>(offsets), local.graph.row_map.extent(0)};
  rows.column = {local.graph.entries.data(), local.graph.entries.extent(0)};
  rows.value = {local.values.data(), local.values.extent(0)};
  rows.user_row = [map = A.getRowMap()](Index i) { return GlobalIndex{map->getGlobalElement(i)}; };
  return rows;
}

CrsMatrix const* device_matrix(RowMatrix const& A, comm::Communicator const& comm) {
  if constexpr (!vectors_on_device) return nullptr;
  auto const* const crs = dynamic_cast<CrsMatrix const*>(&A);
  auto const &rows = *A.getRowMap(), &columns = *A.getColMap();
  bool const fits = crs != nullptr && begins_with_rows(columns, rows);
  return comm.any(!fits) ? nullptr : crs;
}

#if defined(TESSERA_HAVE_CUDA)
FetchedRows::FetchedRows(CrsMatrix const& A) : source_(local_rows(A)) {}

void FetchedRows::fetch(std::vector<Index> const& rows) const {
  place_.clear();
  std::vector<Index> listed;
  for (auto const row : rows)
    if (place_.emplace(row, listed.size()).second) listed.push_back(row);
  copied_ = comm::fetch_rows(core::make_cuda(node_device()), source_, listed);
}

RowView FetchedRows::row(Index row) const {
  auto const k = place_.at(row);
  auto const from = static_cast<std::size_t>(copied_.offsets[k]);
  return {copied_.offsets[k + 1] - copied_.offsets[k], copied_.column.data() + from,
          copied_.value.data() + from};
}
#endif

int node_device() {
  return device_of_node(Node::execution_space());
}

}  // namespace Tessera::tpetra
