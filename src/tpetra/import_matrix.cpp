#include "tpetra/import_matrix.hpp"

#include <Teuchos_Array.hpp>
#include <algorithm>
#include <iterator>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "tpetra/local_rows.hpp"
#include "tpetra/matrix_checks.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

namespace {

void check_range(Map const& map) {
  if (map.getGlobalNumElements() == 0) return;
  auto const least = map.getMinAllGlobalIndex();
  auto const range =
      static_cast<std::uint64_t>(map.getMaxAllGlobalIndex()) - static_cast<std::uint64_t>(least);
  TESSERA_VALIDATE(range < (std::uint64_t{1} << 62), "the row map's global indices run from ", least, " to ",
                   map.getMaxAllGlobalIndex(),
                   " (Tessera hashes ids below 2^62): number the rows in a range below 2^62");
}

/// The numbers in `columns` of the local columns of A, starting with column `first`.
std::vector<GlobalIndex> numbers_from(std::size_t first, RowMatrix const& A,
                                      comm::Distribution const& columns) {
  auto const &domain = *A.getDomainMap(), &column_map = *A.getColMap();
  auto const count = local_size(column_map) - first;
  std::vector<GlobalIndex> number(count);
  Teuchos::Array<GlobalOrdinal> elsewhere;
  std::vector<std::size_t> which;
  for (std::size_t c = 0; c < count; ++c) {
    auto const id = column_map.getGlobalElement(static_cast<LocalOrdinal>(first + c));
    auto const here = domain.getLocalElement(id);
    number[c] = columns.begin() + here;
    if (here != Teuchos::OrdinalTraits<LocalOrdinal>::invalid()) continue;
    elsewhere.push_back(id);
    which.push_back(c);
  }
  Teuchos::Array<int> rank(elsewhere.size());
  Teuchos::Array<LocalOrdinal> there(elsewhere.size());
  domain.getRemoteIndexList(elsewhere(), rank(), there());
  for (std::size_t k = 0; k < which.size(); ++k) {
    TESSERA_VALIDATE(
        rank[k] >= 0, "the column map has the global index ", elsewhere[k],
        ", which the domain map does not have: make the column map of indices of the domain map");
    number[which[k]] = columns.begin(rank[k]) + there[k];
  }
  return number;
}

/// Owned columns first, then ghosts by ascending number. Most matrices have this order already, and then no
/// array of the length of the rows is allocated: the first touch of memory runs at 2 GB/s.
void renumber_columns(RowMatrix const& A, comm::Distribution const& columns, ImportedMatrix& imported) {
  auto const owned = static_cast<std::size_t>(columns.local_size());
  auto& column_of = imported.column_of;
  column_of.count = local_size(*A.getColMap());
  columns.comm().agree();  // Tpetra's collective calls
  auto const import = column_import(A);
  // The leading columns are the owned ones in their order.
  auto const same = import.is_null() ? column_of.count : import->getNumSameIDs();
  std::vector<GlobalIndex> number;
  if (!import.is_null()) {  // on all ranks
    comm::agree_on_errors(columns.comm(), [&] { number = numbers_from(same, A, columns); });
  }
  std::vector<GlobalIndex> ghosts;
  std::copy_if(number.begin(), number.end(), std::back_inserter(ghosts),
               [&](GlobalIndex n) { return !columns.owns(n); });
  bool const ordered =
      ghosts.size() == number.size() && same == owned && std::is_sorted(ghosts.begin(), ghosts.end());
  std::sort(ghosts.begin(), ghosts.end());
  if (!ordered) {
    column_of.listed = Array<Index, Host>(Host{}, column_of.count);
    for (std::size_t c = 0; c < same; ++c) column_of.listed[c] = static_cast<Index>(c);
    for (std::size_t k = 0; k < number.size(); ++k) {
      auto const ghost = std::lower_bound(ghosts.begin(), ghosts.end(), number[k]) - ghosts.begin();
      column_of.listed[same + k] = static_cast<Index>(columns.owns(number[k]) ? number[k] - columns.begin()
                                                                              : columns.local_size() + ghost);
    }
  }
  imported.A.halo = comm::HaloPlan<Host>(Host{}, columns, std::move(ghosts));
}

/// Pattern and values, with renumbered columns.
template <class Rows>
void copy_pattern(Rows const& rows, ImportedMatrix& imported) {
  auto& local = imported.A.local;
  auto const n = static_cast<std::size_t>(local.rows);
  local.offsets = Array<Offset, Host>(Host{}, n + 1);
  auto const offsets = local.offsets.span();
  rows.for_each_row(n, [rows, offsets](Index row) { offsets[row] = rows.count(row); });
  auto const total =
      static_cast<std::size_t>(core::exclusive_scan(Host{}, local.offsets.span().part(0, n), offsets));
  local.column = Array<Index, Host>(Host{}, total);
  local.value = Array<double, Host>(Host{}, total);
  auto const fill = [rows, offsets, column_of = imported.column_of.view(), column = local.column.span(),
                     value = local.value.span()](Index row) {
    auto const source = rows.row(row);
    for (Offset k = 0; k < source.count; ++k) {
      column[offsets[row] + k] = column_of[source.column[k]];
      value[offsets[row] + k] = source.value[k];
    }
  };
  rows.for_each_row(n, fill);
}

/// Copies the values; returns whether the pattern differs from the imported one.
template <class Rows>
bool copy_values(Rows const& rows, ImportedMatrix& imported) {
  auto& local = imported.A.local;
  if (imported.lent_pattern) local.value = Array<double, Host>(Host{}, local.column.size());
  imported.lent_values = nullptr;
  auto const copy = [rows, column_of = imported.column_of.view(), offsets = local.offsets.view(),
                     column = local.column.view(), value = local.value.span()](Index row) -> int {
    auto const source = rows.row(row);
    auto const to = offsets[row];
    if (offsets[row + 1] - to != source.count) return 1;
    int changed = 0;
    for (Offset k = 0; k < source.count; ++k) {
      auto const c = static_cast<std::size_t>(source.column[k]);
      changed |= c >= column_of.count || column_of[c] != column[to + k];
      value[to + k] = source.value[k];
    }
    return changed;
  };
  return rows.any_row(static_cast<std::size_t>(local.rows), copy);
}

using HostMatrix = decltype(std::declval<CrsMatrix const&>().getLocalMatrixHost());
using HostGraph = std::decay_t<decltype(std::declval<HostMatrix>().graph)>;

/// The CrsMatrix, if Array can borrow its memory; else null. Memory of a device would have to stay unlocked
/// for Tpetra.
CrsMatrix const* borrowable(RowMatrix const& A) {
  constexpr bool fits = std::is_same_v<Node::memory_space, Kokkos::HostSpace> &&
                        sizeof(*std::declval<HostGraph>().row_map.data()) == sizeof(Offset);
  return fits ? dynamic_cast<CrsMatrix const*>(&A) : nullptr;
}

Span<Offset const> offsets_of(HostGraph const& graph) {
  return {reinterpret_cast<Offset const*>(graph.row_map.data()), graph.row_map.extent(0)};
}

/// Lets A lie in the Tpetra matrix' memory; false if that is impossible.
bool borrow(RowMatrix const& A, ImportedMatrix& imported) {
  auto const* const crs = borrowable(A);
  if (crs == nullptr || !imported.column_of.listed.empty()) return false;
  auto const matrix = crs->getLocalMatrixHost();
  auto& local = imported.A.local;
  auto const offsets = offsets_of(matrix.graph);
  if (offsets.size() != static_cast<std::size_t>(local.rows) + 1)
    return false;  // no offsets if there are no rows
  auto const entries = static_cast<std::size_t>(offsets[local.rows]);
  local.offsets = Array<Offset, Host>::borrowed(Host{}, offsets);
  local.column = Array<Index, Host>::borrowed(Host{}, {matrix.graph.entries.data(), entries});
  local.value = Array<double, Host>::borrowed(Host{}, {matrix.values.data(), entries});
  imported.lent_pattern = std::make_shared<HostGraph>(matrix.graph);
  imported.lent_values = std::make_shared<HostMatrix>(matrix);
  return true;
}

/// Borrows the values of the Tpetra matrix if its pattern is unchanged; else returns false.
bool borrow_values(RowMatrix const& A, ImportedMatrix& imported) {
  auto const* const crs = imported.lent_pattern ? borrowable(A) : nullptr;
  if (crs == nullptr) return false;
  auto const matrix = crs->getLocalMatrixHost();
  auto& local = imported.A.local;
  auto const offsets = offsets_of(matrix.graph);
  auto const* const column = matrix.graph.entries.data();
  // Borrowed memory is kept alive, so that no other pattern can have its address.
  bool const same = offsets.data() == local.offsets.data() && column == local.column.data();
  if (!same && (!std::equal(offsets.begin(), offsets.end(), local.offsets.begin(), local.offsets.end()) ||
                !std::equal(local.column.begin(), local.column.end(), column)))
    return false;
  return borrow(A, imported);
}

char const* where() {
  return "import of the matrix, level 0";
}

}  // namespace

void require_square(RowMatrix const& A) {
  TESSERA_VALIDATE(A.isFillComplete(), "the matrix is not fill complete: call fillComplete() first");
  auto const &rows = *A.getRowMap(), &domain = *A.getDomainMap(), &range = *A.getRangeMap();
  auto const stored = rows.getGlobalNumElements(), height = range.getGlobalNumElements(),
             width = domain.getGlobalNumElements();
  TESSERA_VALIDATE(height == width, "the matrix is rectangular, ", height, " x ", width,
                   " (a preconditioner maps residuals to corrections on the same rows): give a square one");
  bool const blocks = stored > 0 && height > stored && height % stored == 0;
  TESSERA_VALIDATE(
      !blocks, "the matrix has ", stored, " rows of blocks for vectors of ", height,
      " numbers (as a Tpetra::BlockCrsMatrix has; Tessera reads rows of numbers): convert it, as "
      "Tpetra::convertToCrsMatrix() does, and set `number of equations` to ",
      height / std::max<::Tpetra::global_size_t>(stored, 1));
  bool const nothing = stored == 0;  // Tpetra returns false for some maps without elements
  TESSERA_VALIDATE(
      nothing || rows.isOneToOne(),
      "the row map is not one-to-one (parts of some row lie on several ranks): sum the parts on a map of "
      "owners, which Tpetra::createOneToOne() makes of the row map: into a Tpetra::CrsMatrix on that map by "
      "doExport() with Tpetra::ADD, then call its fillComplete()");
  char const* const advice =
      " (a preconditioner maps residuals to corrections on the same rows): give fillComplete() the row map "
      "as "
      "domain and range map";
  TESSERA_VALIDATE(rows.isSameAs(domain), "the domain map differs from the row map", advice);
  TESSERA_VALIDATE(rows.isSameAs(range), "the range map differs from the row map", advice);
}

RowIds row_ids(Map const& map) {
  check_range(map);
  RowIds ids{local_size(map), 0, {}};
  auto const least = map.getMinAllGlobalIndex();
  if (ids.size == 0) return ids;
  if (map.isContiguous()) {
    ids.first = map.getMinGlobalIndex() - least;
    return ids;
  }
  auto const elements = local_elements(map);
  for (std::size_t i = 0; i < ids.size; ++i) ids.listed.push_back(elements[i] - least);
  return ids;
}

ImportedMatrix import_matrix(RowMatrix const& A, comm::Communicator const& comm) {
  require_square(A);
  auto const& map = *A.getRowMap();
  check_range(map);
  ImportedMatrix imported;
  comm::agree_on_errors(comm, where, [&] {
    imported.A.rows = comm::Distribution(comm, static_cast<Index>(local_size(map)));
    imported.A.user_row = [map = A.getRowMap()](Index i) { return GlobalIndex{map->getGlobalElement(i)}; };
    with_rows(A, [&](auto const& rows) { require_valid_rows(A, rows); });
    renumber_columns(A, imported.A.rows, imported);
    imported.A.local.rows = imported.A.rows.local_size();
    imported.A.local.columns = imported.A.rows.local_size() + imported.A.halo.ghost_count();
    if (!borrow(A, imported)) with_rows(A, [&](auto const& rows) { copy_pattern(rows, imported); });
  });
  return imported;
}

void import_values(RowMatrix const& A, ImportedMatrix& imported) {
  bool changed = false;
  comm::agree_on_errors(imported.A.rows.comm(), where, [&] {
    // One rank alone may detect a change; the reduction below informs all others.
    changed = !A.isFillComplete() ||
              local_size(*A.getRowMap()) != static_cast<std::size_t>(imported.A.local.rows) ||
              local_size(*A.getColMap()) != imported.column_of.count ||
              local_entries(A) != imported.A.local.column.size();
    if (!changed && !borrow_values(A, imported))
      with_rows(A, [&](auto const& rows) { changed = copy_values(rows, imported); });
    changed = imported.A.rows.comm().any(changed);
  });
  if (changed) throw PatternChanged();
}

}  // namespace Tessera::tpetra
