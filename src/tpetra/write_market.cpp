#include <Tpetra_Import.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <string>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "tpetra/matrix_market.hpp"
#include "tpetra/output_file.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {

namespace {

template <class Number>
void append_number(std::string& text, Number number, char after) {
  char digits[32];
  auto const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.append(digits, end);
  text.push_back(after);
}

/// Rank 0 writes the head, then the results of piece() rank by rank, until a result is empty. Rank 0 holds
/// one piece at a time.
void write_in_rank_order(comm::Communicator const& ranks, std::string const& path, std::string const& head,
                         std::function<std::string()> const& piece) {
  std::unique_ptr<OutputFile> output;
  comm::agree_on_errors(ranks, [&] {
    if (ranks.rank() != 0) return;
    output = std::make_unique<OutputFile>(path);
    output->write(head);
  });
  int constexpr tag = 0;
  while (ranks.rank() != 0) {
    auto const text = piece();
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, tag, ranks.raw());
    if (text.empty()) break;
  }
  if (ranks.rank() == 0) {
    for (auto text = piece(); !text.empty(); text = piece()) {
      output->write(text);
    }
    std::string text;
    for (int rank = 1; rank < ranks.size(); ++rank) {
      for (int size = 1; size > 0;) {
        MPI_Status status{};
        MPI_Probe(rank, tag, ranks.raw(), &status);
        MPI_Get_count(&status, MPI_CHAR, &size);
        text.resize(static_cast<std::size_t>(size));
        MPI_Recv(text.data(), size, MPI_CHAR, rank, tag, ranks.raw(), MPI_STATUS_IGNORE);
        output->write(text);
      }
    }
  }
  comm::agree_on_errors(ranks, [&] {
    if (output) output->finish();
  });
}

/// Approximate length of a piece of text: far below 2^31, the limit of MPI's counts.
std::size_t constexpr piece_bytes = std::size_t{1} << 22;

}  // namespace

void write_matrix(std::string const& file, CrsMatrix const& A) {
  auto const ranks = communicator(*A.getComm());
  auto const& map = *A.getRowMap();
  auto const ids = local_elements(map);
  auto const columns = local_elements(*A.getColMap());
  auto const least = map.getGlobalNumElements() == 0 ? 0 : map.getMinAllGlobalIndex();
  std::string head = "%%MatrixMarket matrix coordinate real general\n";
  append_number(head, A.getGlobalNumRows(), ' ');
  append_number(head, A.getGlobalNumCols(), ' ');
  append_number(head, A.getGlobalNumEntries(), '\n');
  with_rows(A, [&](auto const& rows) {
    Index next = 0;
    write_in_rank_order(ranks, file, head, [&] {
      std::string text;
      for (; next < ids.size() && text.size() < piece_bytes; ++next) {
        auto const row = rows.row(next);
        for (Offset k = 0; k < row.count; ++k) {
          append_number(text, ids[next] - least + 1, ' ');
          append_number(text, columns[row.column[k]] - least + 1, ' ');
          append_number(text, row.value[k], '\n');
        }
      }
      return text;
    });
  });
}

void write_matrix(std::string const& file, comm::Communicator const& ranks, comm::HostMatrix const& A) {
  auto const& local = A.local;
  auto const entries = std::count_if(local.value.begin(), local.value.end(), [](double a) { return a != 0; });
  std::string head = "%%MatrixMarket matrix coordinate real general\n";
  append_number(head, A.rows, ' ');
  append_number(head, A.columns, ' ');
  append_number(head, ranks.sum(GlobalIndex{entries}), '\n');
  Index next = 0;
  write_in_rank_order(ranks, file, head, [&] {
    std::string text;
    for (; next < local.rows && text.size() < piece_bytes; ++next) {
      for (auto k = local.offsets[next]; k < local.offsets[next + 1]; ++k) {
        if (local.value[k] == 0) continue;
        append_number(text, A.row[next] + 1, ' ');
        append_number(text, A.column[local.column[k]] + 1, ' ');
        append_number(text, local.value[k], '\n');
      }
    }
    return text;
  });
}

void write_integers(std::string const& file, comm::Communicator const& ranks,
                    std::vector<GlobalIndex> const& numbers) {
  std::string head = "%%MatrixMarket matrix array integer general\n";
  append_number(head, ranks.sum(static_cast<GlobalIndex>(numbers.size())), ' ');
  append_number(head, 1, '\n');
  std::size_t next = 0;
  write_in_rank_order(ranks, file, head, [&] {
    std::string text;
    while (next < numbers.size() && text.size() < piece_bytes) append_number(text, numbers[next++], '\n');
    return text;
  });
}

void write_dense(std::string const& file, MultiVector const& X) {
  // An array lists column by column, so rank 0 gathers the vectors in ascending order of the global indices.
  auto const map = X.getMap();
  auto const ranks = communicator(*map->getComm());
  auto const size = map->getGlobalNumElements();
  auto const least = size == 0 ? 0 : map->getMinAllGlobalIndex();
  comm::agree_on_errors(ranks, [&] {
    TESSERA_VALIDATE(
        size == 0 || static_cast<::Tpetra::global_size_t>(map->getMaxAllGlobalIndex() - least) + 1 == size,
        file, ": cannot be written from a map whose global indices leave gaps");
  });
  auto const on_root = Teuchos::rcp(
      new Map(size, ranks.rank() == 0 ? static_cast<std::size_t>(size) : 0, least, map->getComm()));
  MultiVector whole(on_root, X.getNumVectors(), false);
  Import const import(map, on_root);
  whole.doImport(X, import, ::Tpetra::INSERT);
  std::string head = "%%MatrixMarket matrix array real general\n";
  append_number(head, size, ' ');
  append_number(head, X.getNumVectors(), '\n');
  ReadColumns const columns(whole);
  std::size_t column = 0, row = 0;
  write_in_rank_order(ranks, file, head, [&] {
    std::string text;
    while (column < columns.size() && text.size() < piece_bytes) {
      if (row == columns[column].size()) {
        ++column;
        row = 0;
        continue;
      }
      append_number(text, columns[column][row++], '\n');
    }
    return text;
  });
}

}  // namespace Tessera::tpetra
