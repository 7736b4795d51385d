#include "tpetra/matrix_market.hpp"

#include <Tpetra_Import.hpp>
#include <cstring>
#include <numeric>

#include "comm/distribution.hpp"
#include "core/parallel.hpp"
#include "market/market_file.hpp"
#include "tpetra/assemble.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {

namespace {

/// A whole matrix on one rank; columns ascend within rows.
struct WholeRows {
  std::vector<Offset> offsets;
  std::vector<GlobalOrdinal> column;
  std::vector<double> value;
};

/// Body over rows: sorts a row by column; returns whether a column occurs twice.
struct SortRow {
  WholeRows& rows;
  int operator()(Index row) const {
    auto const from = rows.offsets[row], to = rows.offsets[row + 1];
    auto* const column = rows.column.data();
    sort_row(column, rows.value.data(), from, to);
    return std::adjacent_find(column + from, column + to) != column + to;
  }
};

/// Both triangles, by rows. \throws core::InvalidInput on duplicates, and if rows must be empty: a typing
/// error in the number of rows would exhaust the memory
WholeRows by_rows(market::MarketFile& file) {
  auto const entries = file.coordinate_entries();
  auto const given = static_cast<GlobalIndex>(entries.row.size());
  TESSERA_VALIDATE(2 * given >= file.rows(), file.path(), ": the matrix has ", file.rows(), " rows but only ",
                   given, " entries, so that rows are empty and it is singular; check the line of sizes");
  bool const mirrored = file.symmetric();
  WholeRows rows;
  rows.offsets.assign(file.rows() + 1, 0);
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    ++rows.offsets[entries.row[k] + 1];
    if (mirrored && entries.row[k] != entries.column[k]) ++rows.offsets[entries.column[k] + 1];
  }
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.column.resize(rows.offsets.back());
  rows.value.resize(rows.offsets.back());
  std::vector<Offset> next(rows.offsets.begin(), rows.offsets.end() - 1);
  auto const place = [&rows, &next](Index i, Index j, double value) {
    auto const k = next[i]++;
    rows.column[k] = j;
    rows.value[k] = value;
  };
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    place(entries.row[k], entries.column[k], entries.value[k]);
    if (mirrored && entries.row[k] != entries.column[k]) {
      place(entries.column[k], entries.row[k], entries.value[k]);
    }
  }
  auto const n = static_cast<std::size_t>(file.rows());
  if (core::reduce(Host{}, n, SortRow{rows}, core::Max{}, 0) != 0) {
    for (std::size_t i = 0; i < n; ++i) {
      auto const* const begin = rows.column.data() + rows.offsets[i];
      auto const* const end = rows.column.data() + rows.offsets[i + 1];
      auto const* const twice = std::adjacent_find(begin, end);
      if (twice != end) file.fail_duplicate(static_cast<Index>(i), static_cast<Index>(*twice));
    }
  }
  return rows;
}

template <class T>
void append(std::vector<char>& buffer, T const* data, std::size_t count) {
  auto const* const bytes = reinterpret_cast<char const*>(data);
  buffer.insert(buffer.end(), bytes, bytes + count * sizeof(T));
}

/// Packs the rows [begin, end): offsets, columns, values.
std::vector<char> pack(WholeRows const& rows, GlobalIndex begin, GlobalIndex end) {
  std::vector<char> buffer;
  auto const from = rows.offsets[begin];
  auto const count = static_cast<std::size_t>(rows.offsets[end] - from);
  buffer.reserve((end - begin + 1) * sizeof(Offset) + count * (sizeof(GlobalOrdinal) + sizeof(double)));
  append(buffer, rows.offsets.data() + begin, end - begin + 1);
  append(buffer, rows.column.data() + from, count);
  append(buffer, rows.value.data() + from, count);
  return buffer;
}

GlobalRows unpack(std::vector<char> const& buffer, std::size_t n) {
  GlobalRows rows{Array<Offset, Host>(Host{}, n + 1), {}, {}};
  auto const* at = buffer.data();
  std::memcpy(rows.offsets.data(), at, rows.offsets.bytes());
  at += rows.offsets.bytes();
  auto const first = rows.offsets[0];
  for (auto& offset : rows.offsets) offset -= first;
  auto const entries = static_cast<std::size_t>(rows.offsets[n]);
  rows.column = Array<GlobalOrdinal, Host>(Host{}, entries);
  rows.value = Array<double, Host>(Host{}, entries);
  if (entries == 0) return rows;
  std::memcpy(rows.column.data(), at, rows.column.bytes());
  std::memcpy(rows.value.data(), at + rows.column.bytes(), rows.value.bytes());
  return rows;
}

/// Broadcasts rank 0's number.
GlobalIndex from_root(comm::Communicator const& comm, GlobalIndex value) {
  return comm.all_gather(value).front();
}

/// More columns indicate an error in the file: right-hand sides, near-nullspaces and coordinates have few.
GlobalIndex constexpr most_columns = 10000;

/// The values of a file, column by column.
std::vector<double> dense_values(market::MarketFile& file) {
  if (!file.coordinate()) return file.array_values();
  auto const entries = file.coordinate_entries();
  TESSERA_VALIDATE(file.columns() == 1 || static_cast<GlobalIndex>(entries.row.size()) >= file.columns(),
                   file.path(), ": has ", file.columns(), " columns but only ", entries.row.size(),
                   " entries, so that some columns are zero; check the line of sizes");
  std::vector<double> values(static_cast<std::size_t>(file.rows() * file.columns()), 0.0);
  std::vector<bool> given(values.size(), false);
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    auto const at = static_cast<std::size_t>(entries.column[k] * file.rows() + entries.row[k]);
    if (given[at]) file.fail_duplicate(entries.row[k], entries.column[k]);
    given[at] = true;
    values[at] = entries.value[k];
  }
  return values;
}

}  // namespace

Teuchos::RCP<CrsMatrix> read_matrix(std::string const& file,
                                    Teuchos::RCP<Teuchos::Comm<int> const> const& comm, int equations) {
  auto const ranks = communicator(*comm);
  WholeRows whole;
  GlobalIndex size = 0;
  comm::agree_on_errors(ranks, [&] {
    TESSERA_VALIDATE(equations > 0, "the number of equations is ", equations, ": give a positive number");
    if (ranks.rank() != 0) return;
    market::MarketFile market(file);
    size = market.rows();
    TESSERA_VALIDATE(market.coordinate(), file,
                     ":1: is an array, where a sparse matrix is needed: give a file of "
                     "coordinate format (arrays are read as right-hand sides and the like)");
    TESSERA_VALIDATE(market.columns() == size, file, ": the matrix is ", size, " x ", market.columns(),
                     ", not square: a linear system has as many equations as unknowns");
    TESSERA_VALIDATE(size % equations == 0, file, ": the matrix has ", size,
                     " rows, which the number of equations, ", equations,
                     ", does not divide: every node has as many rows");
    whole = by_rows(market);
  });
  size = from_root(ranks, size);
  auto const map = block_map(size / equations, equations, comm);
  comm::Distribution const rows(ranks, static_cast<Index>(local_size(*map)));
  comm::PackedBuffers buffers;
  if (ranks.rank() == 0) {
    for (int rank = 0; rank < ranks.size(); ++rank) {
      buffers[rank] = pack(whole, rows.begin(rank), rows.begin(rank + 1));
    }
  }
  whole = {};
  return assemble(map, unpack(ranks.exchange(buffers).at(0), local_size(*map)));
}

Teuchos::RCP<MultiVector> read_dense(std::string const& file, Teuchos::RCP<Map const> const& map) {
  auto const ranks = communicator(*map->getComm());
  auto const size = static_cast<GlobalIndex>(map->getGlobalNumElements());
  auto const least = size == 0 ? 0 : map->getMinAllGlobalIndex();
  GlobalIndex columns = 0;
  std::vector<double> values;
  comm::agree_on_errors(ranks, [&] {
    TESSERA_VALIDATE(size == 0 || map->getMaxAllGlobalIndex() - least + 1 == size, file,
                     ": cannot be read on a map whose global indices leave gaps");
    if (ranks.rank() != 0) return;
    market::MarketFile market(file);
    columns = market.columns();
    TESSERA_VALIDATE(market.rows() == size, file, ": has ", market.rows(), " rows, where ", size,
                     " are needed");
    TESSERA_VALIDATE(0 < columns && columns <= most_columns, file, ": has ", columns, " columns, where 1 to ",
                     most_columns, " are read");
    TESSERA_VALIDATE(!market.symmetric(), file, ":1: symmetric vectors are not read: make it general");
    values = dense_values(market);
  });
  columns = from_root(ranks, columns);
  auto const on_root =
      Teuchos::rcp(new Map(static_cast<::Tpetra::global_size_t>(size),
                           static_cast<std::size_t>(ranks.rank() == 0 ? size : 0), least, map->getComm()));
  MultiVector whole(on_root, static_cast<std::size_t>(columns), false);
  if (ranks.rank() == 0) {
    WriteColumns const target(whole, Before::forgotten);
    for (GlobalIndex c = 0; c < columns; ++c) {
      std::copy_n(values.data() + c * size, size, target[static_cast<std::size_t>(c)].begin());
    }
  }
  auto const result = Teuchos::rcp(new MultiVector(map, static_cast<std::size_t>(columns), false));
  Import const import(on_root, map);
  result->doImport(whole, import, ::Tpetra::INSERT);
  return result;
}

Teuchos::RCP<Map const> node_map(Map const& rows, int equations) {
  auto const elements = local_elements(rows);
  std::vector<GlobalOrdinal> nodes;
  auto const first = rows.getGlobalNumElements() == 0 ? 0 : rows.getMinAllGlobalIndex();
  comm::agree_on_errors(communicator(*rows.getComm()), [&] {
    auto const count = static_cast<std::size_t>(elements.size());
    for (std::size_t i = 0; i < count; ++i) {
      auto const place = static_cast<GlobalOrdinal>(i) % equations;
      auto const node_begins = elements[i] - place;
      TESSERA_VALIDATE((node_begins - first) % equations == 0 && elements[i - place] == node_begins &&
                           count % equations == 0,
                       "row ", elements[i],
                       " is not together with the other rows of its node (the number of equations is ",
                       equations, "): give each rank whole nodes, in order; rows count from ",
                       rows.getIndexBase());
      if (place == 0) nodes.push_back((elements[i] - first) / equations);
    }
  });
  return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<::Tpetra::global_size_t>::invalid(),
                              Teuchos::arrayViewFromVector(nodes), 0, rows.getComm()));
}

}  // namespace Tessera::tpetra
