#include "tpetra/export_matrix.hpp"

#include <Teuchos_DefaultMpiComm.hpp>
#include <Teuchos_DefaultSerialComm.hpp>

namespace Tessera::tpetra {

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
