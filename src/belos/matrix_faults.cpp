#include "belos/matrix_faults.hpp"

#include <BelosTpetraAdapter.hpp>
#include <algorithm>
#include <cmath>

#include "belos/nullspace.hpp"
#include "belos/rounding_scales.hpp"
#include "core/error.hpp"
#include "tpetra/symmetry.hpp"
#include "tpetra/types.hpp"

namespace Tessera::belos {

using Vectors = Tpetra::MultiVector<>;

double share_out_of_range(Tpetra::Operator<> const& A, Teuchos::RCP<Tpetra::Operator<> const> const& M,
                          Vectors const& B, double tolerance) {
  auto const* rows = dynamic_cast<tpetra::RowMatrix const*>(&A);
  if (rows == nullptr) return 0;
  auto const vectors = likely_nullspace(B, M);
  double share = 0;
  for (std::size_t k = 0; k < vectors->getNumVectors(); ++k) {
    auto const v = vectors->getVector(k);
    double const v_norm = v->norm2();
    for (std::size_t j = 0; j < B.getNumVectors(); ++j) {
      auto const b = B.getVector(j);
      double const b_norm = b->norm2();
      if (!(std::abs(b->dot(*v)) > tolerance * b_norm * v_norm)) continue;
      for (auto const& direction :
           directions<Vectors, Tpetra::Operator<>>(A, *v, rounding_scales(A, *v, *v), *b))
        if (direction.keeps_from(tolerance * b_norm)) share = std::max(share, direction.share(b_norm));
    }
  }
  return share > 0 && tpetra::find_unequal_pair(*rows) ? 0 : share;
}

std::string asymmetry(Tpetra::Operator<> const& A) {
  auto const* rows = dynamic_cast<tpetra::RowMatrix const*>(&A);
  if (rows == nullptr) return {};
  return tpetra::asymmetry(*rows);
}

}  // namespace Tessera::belos
