#include "tpetra/assemble.hpp"

#include <Teuchos_DefaultMpiComm.hpp>
#include <Teuchos_DefaultSerialComm.hpp>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::tpetra {
namespace {

using LocalMatrix = CrsMatrix::local_matrix_device_type;
using LocalGraph = LocalMatrix::staticcrsgraph_type;
using Offsets = LocalGraph::row_map_type::non_const_type;
using Columns = LocalGraph::entries_type::non_const_type;
using Values = LocalMatrix::values_type::non_const_type;

template <class View>
View uninitialised(char const* name, std::size_t size) {
  return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(name)), size);
}

/// The columns that other ranks own, ascending and distinct.
std::vector<GlobalOrdinal> find_ghosts(Array<GlobalOrdinal, Host> const& column, GlobalOrdinal begin,
                                       GlobalOrdinal end) {
  std::vector<GlobalOrdinal> ghosts;
  auto const count = static_cast<std::ptrdiff_t>(column.size());
#pragma omp parallel if (count >= core::serial_steps)
  {
    std::vector<GlobalOrdinal> mine;
#pragma omp for schedule(static) nowait
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      if (column[k] < begin || end <= column[k]) mine.push_back(column[k]);
    }
#pragma omp critical
    ghosts.insert(ghosts.end(), mine.begin(), mine.end());
  }
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  return ghosts;
}

/// The indices of the map, followed by the ghosts.
Teuchos::RCP<Map const> column_map(Teuchos::RCP<Map const> const& map,
                                   std::vector<GlobalOrdinal> const& ghosts) {
  if (map->getComm()->getSize() == 1) return map;
  auto const owned = local_elements(*map);
  std::vector<GlobalOrdinal> elements(owned.begin(), owned.end());
  elements.insert(elements.end(), ghosts.begin(), ghosts.end());
  return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<::Tpetra::global_size_t>::invalid(),
                              Teuchos::arrayViewFromVector(elements), map->getIndexBase(), map->getComm()));
}

}  // namespace

Teuchos::RCP<Map const> block_map(GlobalIndex nodes, int equations,
                                  Teuchos::RCP<Teuchos::Comm<int> const> const& comm) {
  auto const ranks = comm->getSize(), rank = comm->getRank();
  auto const most = (nodes / ranks + (nodes % ranks != 0)) * equations;
  auto constexpr limit = std::numeric_limits<Index>::max();
  TESSERA_VALIDATE(most <= limit, "a rank would own ", most, " rows (local indices have 32 bits, ", limit,
                   " at most): use more ranks than ", ranks);
  auto const mine = (nodes / ranks + (rank < nodes % ranks)) * equations;
  return Teuchos::rcp(new Map(static_cast<::Tpetra::global_size_t>(nodes * equations),
                              static_cast<std::size_t>(mine), 0, comm));
}

Teuchos::RCP<CrsMatrix> assemble(Teuchos::RCP<Map const> const& map, GlobalRows const& rows) {
  auto const n = local_size(*map);
  auto const begin = n == 0 ? 0 : map->getMinGlobalIndex();
  auto const end = begin + static_cast<GlobalOrdinal>(n);
  auto const ghosts = find_ghosts(rows.column, begin, end);
  auto const entries = rows.column.size();
  auto const offsets = uninitialised<Offsets>("offsets", n + 1);
  auto const column = uninitialised<Columns>("columns", entries);
  auto const value = uninitialised<Values>("values", entries);
  auto const host_offsets = Kokkos::create_mirror_view(offsets);
  auto const host_column = Kokkos::create_mirror_view(column);
  auto const host_value = Kokkos::create_mirror_view(value);
  host_offsets(0) = 0;
  auto const local_column = [begin, end, &ghosts](GlobalOrdinal global) {
    if (begin <= global && global < end) return static_cast<LocalOrdinal>(global - begin);
    auto const found = std::lower_bound(ghosts.begin(), ghosts.end(), global);
    return static_cast<LocalOrdinal>(end - begin + (found - ghosts.begin()));
  };
  auto const place_row = [&local_column, given = rows.offsets.view(), global = rows.column.view(),
                          number = rows.value.view(), offset = host_offsets.data(),
                          local = host_column.data(), target = host_value.data()](Index row) {
    auto const from = given[row], to = given[row + 1];
    offset[row + 1] = static_cast<std::size_t>(to);
    for (auto k = from; k < to; ++k) {
      local[k] = local_column(global[k]);
      target[k] = number[k];
    }
    sort_row(local, target, from, to);
  };
  core::for_each(Host{}, n, place_row);
  Kokkos::deep_copy(offsets, host_offsets);
  Kokkos::deep_copy(column, host_column);
  Kokkos::deep_copy(value, host_value);
  auto const columns = column_map(map, ghosts);
  LocalMatrix const local("Tessera", static_cast<LocalOrdinal>(n),
                          static_cast<LocalOrdinal>(local_size(*columns)),
                          static_cast<LocalMatrix::size_type>(entries), value, offsets, column);
  return Teuchos::rcp(new CrsMatrix(local, map, columns, map, map));
}

Teuchos::RCP<CrsMatrix> crs_matrix(sparse::CsrView<double> const& A, Teuchos::RCP<Map const> const& rows,
                                   Teuchos::RCP<Map const> const& columns) {
  std::vector<std::size_t> lengths(static_cast<std::size_t>(A.rows));
  for (Index i = 0; i < A.rows; ++i)
    lengths[static_cast<std::size_t>(i)] = static_cast<std::size_t>(A.offsets[i + 1] - A.offsets[i]);
  auto const matrix = Teuchos::rcp(
      new CrsMatrix(rows, columns, Teuchos::ArrayView<std::size_t const>(lengths.data(), lengths.size())));
  for (Index i = 0; i < A.rows; ++i) {
    auto const first = A.offsets[i];
    auto const length = static_cast<int>(A.offsets[i + 1] - first);
    matrix->insertLocalValues(i, length, A.value.data() + first, A.column.data() + first);
  }
  matrix->fillComplete(rows, rows);
  return matrix;
}

Teuchos::RCP<CrsMatrix> crs_matrix(sparse::CsrView<double> const& A, comm::Distribution const& rows,
                                   std::vector<GlobalIndex> const& columns) {
  Teuchos::RCP<Teuchos::Comm<int> const> comm = Teuchos::rcp(new Teuchos::SerialComm<int>);
  if (rows.comm().size() > 1) comm = Teuchos::MpiComm<int>(rows.comm().raw()).duplicate();
  auto const row_map = Teuchos::rcp(new Map(static_cast<::Tpetra::global_size_t>(rows.global_size()),
                                            static_cast<std::size_t>(rows.local_size()), 0, comm));
  std::vector<GlobalOrdinal> const numbers(columns.begin(), columns.end());
  auto const all = Teuchos::OrdinalTraits<::Tpetra::global_size_t>::invalid();
  auto const column_map = Teuchos::rcp(
      new Map(all, Teuchos::ArrayView<GlobalOrdinal const>(numbers.data(), static_cast<int>(numbers.size())),
              0, comm));
  return crs_matrix(A, row_map, column_map);
}

}  // namespace Tessera::tpetra
