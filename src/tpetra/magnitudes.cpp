#include "tpetra/magnitudes.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <cmath>

#include "sparse/engine/row_terms.hpp"

#include "tpetra/local_rows.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {
namespace {

/// X on A's column map. Collective.
Teuchos::RCP<MultiVector const> on_columns(RowMatrix const& A, MultiVector const& X) {
  auto const import = column_import(A);
  if (import.is_null()) return Teuchos::rcpFromRef(X);
  auto const imported = Teuchos::rcp(new MultiVector(A.getColMap(), X.getNumVectors()));
  imported->doImport(X, *import, ::Tpetra::INSERT);
  return imported;
}

}  // namespace

void multiply_magnitudes(RowMatrix const& A, MultiVector const& X, MultiVector& Y) {
  auto const there = on_columns(A, X);
  ReadColumns const from(*there);
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

std::vector<double> rounding_weights(RowMatrix const& A) {
  std::vector<double> weights(local_size(*A.getRowMap()));
  with_rows(A, [&](auto const& rows) {
    rows.for_each_row(weights.size(), [&rows, weight = weights.data()](Index i) {
      auto const row = rows.row(i);
      int entries = 0;
      for (Offset k = 0; k < row.count; ++k) entries += row.value[k] != 0 ? 1 : 0;
      weight[i] = sparse::rounding_weight(entries);
    });
  });
  return weights;
}

void sum_long_rows(RowMatrix const& A, MultiVector const& X, MultiVector& Y) {
  bool const by_rows = Y.getMap()->isSameAs(*A.getRowMap());
  auto const n = local_size(*A.getRowMap());
  int mine = 0, any = 0;
  with_rows(A, [&](auto const& rows) {
    for (std::size_t i = 0; i < n; ++i)
      mine |= rows.count(static_cast<Index>(i)) > sparse::longest_plain_row ? 1 : 0;
  });
  Teuchos::reduceAll(*A.getComm(), Teuchos::REDUCE_MAX, mine, Teuchos::outArg(any));
  if (any == 0 || !by_rows) return;
  auto const there = on_columns(A, X);
  ReadColumns const from(*there);
  WriteColumns const to(Y);
  with_rows(A, [&](auto const& rows) {
    for (std::size_t j = 0; j < to.size(); ++j) {
      rows.for_each_row(n, [&rows, x = from[j].data(), y = to[j].data()](Index i) {
        if (rows.count(i) <= sparse::longest_plain_row) return;
        auto const row = rows.row(i);
        sparse::PiecewiseSum<double> sum;
        for (Offset k = 0; k < row.count; ++k) sum.add(row.value[k] * x[row.column[k]], row.value[k] != 0);
        y[i] = sum.finish();
      });
    }
  });
}

}  // namespace Tessera::tpetra
