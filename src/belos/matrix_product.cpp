#include "belos/matrix_product.hpp"

#include "tpetra/magnitudes.hpp"

namespace Tessera::belos {

void apply_matrix(Tpetra::Operator<> const& A, Tpetra::MultiVector<> const& X, Tpetra::MultiVector<>& Y) {
  A.apply(X, Y);
  if (auto const* rows = dynamic_cast<tpetra::RowMatrix const*>(&A)) tpetra::sum_long_rows(*rows, X, Y);
}

void apply_matrix(ResidentOperator const& A, ResidentMultiVector const& X, ResidentMultiVector& Y) {
  A.apply(X, Y);
}

}  // namespace Tessera::belos
