#include "tpetra/magnitudes.hpp"

#include <cmath>

#include "tpetra/column_import.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {

void multiply_magnitudes(RowMatrix const& A, MultiVector const& X, MultiVector& Y) {
  auto const import = column_import(A);
  Teuchos::RCP<MultiVector> imported;
  if (!import.is_null()) {
    imported = Teuchos::rcp(new MultiVector(A.getColMap(), X.getNumVectors()));
    imported->doImport(X, *import, ::Tpetra::INSERT);
  }
  ReadColumns const from(imported.is_null() ? X : *imported);
  WriteColumns const to(Y, Before::forgotten);
  with_rows(A, [&](auto const& rows) {
    for (std::size_t j = 0; j < to.size(); ++j) {
      double const* const x = from[j].data();
      double* const y = to[j].data();
      rows.for_each_row(to[j].size(), [&rows, x, y](Index i) {
        auto const row = rows.row(i);
        double sum = 0;
        for (Offset k = 0; k < row.count; ++k) sum += std::abs(row.value[k] * x[row.column[k]]);
        y[i] = sum;
      });
    }
  });
}

}  // namespace Tessera::tpetra
