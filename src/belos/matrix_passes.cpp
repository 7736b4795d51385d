#include "belos/matrix_passes.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <cmath>

#include "belos/operators.hpp"
#include "core/parallel.hpp"
#include "krylov/passes.hpp"
#include "tpetra/magnitudes.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::belos {

void apply_matrix(Tpetra::Operator<> const& A, Tpetra::MultiVector<> const& X, Tpetra::MultiVector<>& Y) {
  A.apply(X, Y);
  if (auto const* rows = dynamic_cast<tpetra::RowMatrix const*>(&A)) tpetra::sum_long_rows(*rows, X, Y);
}

void apply_matrix(ResidentOperator const& A, ResidentMultiVector const& X, ResidentMultiVector& Y) {
  A.apply(X, Y);
}

namespace {

struct ScaleSums {
  double norm = 0, energy = 0, weighted = 0;
  TESSERA_HD ScaleSums operator+(ScaleSums const& other) const {
    return {norm + other.norm, energy + other.energy, weighted + other.weighted};
  }
};

/// The largest |r|_i / (y + |b|)_i of each column, y = |A| |x|.
void add_row_errors(tpetra::ReadColumns const& r, tpetra::ReadColumns const& y, tpetra::ReadColumns const& b,
                    Teuchos::Comm<int> const& comm, std::vector<krylov::RoundingScale>& scales) {
  std::vector<double> mine, all(scales.size());
  for (std::size_t j = 0; j < scales.size(); ++j) {
    auto const error = [body = krylov::RowError{r[j].data(), y[j].data(), b[j].data()}](std::size_t i) {
      return body(static_cast<Index>(i)).value;
    };
    mine.push_back(core::reduce(Host{}, y[j].size(), error, core::Max{}, 0.0));
  }
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, static_cast<int>(all.size()), mine.data(), all.data());
  for (std::size_t j = 0; j < scales.size(); ++j) scales[j].row_error = all[j];
}

}  // namespace

std::vector<krylov::RoundingScale> rounding_scales(Tpetra::Operator<> const& A,
                                                   Tpetra::MultiVector<> const& B,
                                                   Tpetra::MultiVector<> const& X,
                                                   Tpetra::MultiVector<> const* R, AnyWorkspace*) {
  auto const* rows = dynamic_cast<tpetra::RowMatrix const*>(&A);
  if (rows == nullptr) return {};
  auto const columns = X.getNumVectors();
  tpetra::MultiVector Y(B.getMap(), columns);
  tpetra::multiply_magnitudes(*rows, X, Y);
  tpetra::ReadColumns const x(X), b(B), y(Y);
  auto const weights = tpetra::rounding_weights(*rows);
  std::vector<double> mine, all(3 * columns);
  for (std::size_t j = 0; j < columns; ++j) {
    auto const terms = [x = x[j].data(), b = b[j].data(), y = y[j].data(),
                        weight = weights.data()](std::size_t i) -> ScaleSums {
      double const sum = y[i] + std::abs(b[i]);  // y = |A| |x|
      double const weighted = weight[i] * y[i] + std::abs(b[i]);
      return {sum * sum, std::abs(x[i]) * y[i], weighted * weighted};
    };
    auto const sums = core::reduce(Host{}, y[j].size(), terms, core::Plus{}, ScaleSums{});
    mine.insert(mine.end(), {sums.norm, sums.energy, sums.weighted});
  }
  Teuchos::reduceAll(*B.getMap()->getComm(), Teuchos::REDUCE_SUM, static_cast<int>(all.size()), mine.data(),
                     all.data());
  std::vector<krylov::RoundingScale> scales;
  for (std::size_t j = 0; j < columns; ++j)
    scales.push_back({std::sqrt(all[3 * j]), all[3 * j + 1], std::sqrt(all[3 * j + 2]), 0});
  if (R != nullptr) add_row_errors(tpetra::ReadColumns(*R), y, b, *B.getMap()->getComm(), scales);
  return scales;
}

std::vector<krylov::RoundingScale> rounding_scales(ResidentOperator const& A, ResidentMultiVector const& B,
                                                   ResidentMultiVector const& X, ResidentMultiVector const* R,
                                                   AnyWorkspace* workspace) {
  auto const* matrix = dynamic_cast<MatrixOperator const*>(&A);
  if (matrix == nullptr) return {};
  AnyWorkspace own;
  return matrix->rounding_scales(B, X, R, workspace == nullptr ? own : *workspace);
}

}  // namespace Tessera::belos
