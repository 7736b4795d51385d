#pragma once
/// \file
/// Right-hand sides outside the range of a singular A: detection, projection and messages.
#include <BelosMultiVecTraits.hpp>
#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"
#include "belos/matrix_passes.hpp"

namespace Tessera::belos {

/// Parameter of Tessera's conjugate gradients: project b onto the range of A.
constexpr char const* project_nullspace = "Project Nullspace";

/// The near-nullspace of M if M is Tessera's, else the constants, the nullspace of most singular matrices.
Teuchos::RCP<Tpetra::MultiVector<> const> likely_nullspace(Tpetra::MultiVector<> const& like,
                                                           Teuchos::RCP<Tpetra::Operator<> const> const& M);
Teuchos::RCP<ResidentMultiVector const> likely_nullspace(ResidentMultiVector const& like,
                                                         Teuchos::RCP<ResidentOperator const> const& M);

/// Right-hand sides projected onto the range of A, as far as its nullspace is known.
template <class MV>
struct RangeProjection {
  Teuchos::RCP<MV const> B;   ///< the given one if no nullspace is known
  std::vector<double> share;  ///< of the norm of each column, removed; 0 if that is rounding
  double largest_share() const { return share.empty() ? 0 : *std::max_element(share.begin(), share.end()); }
};

/// Such as "3e-09 % of the right-hand side, in the matrix's nullspace, was taken out".
std::string projection_text(double share);

/// An orthonormal basis of the columns, in place: modified Gram-Schmidt, twice. A column that depends on
/// earlier columns becomes zero.
template <class MV>
void orthonormalise(MV& V) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  std::vector<double> number(1), before(1);
  for (int j = 0; j < Traits::GetNumberVecs(V); ++j) {
    auto const v = Traits::CloneViewNonConst(V, std::vector<int>{j});
    Traits::MvNorm(*v, before);
    for (int l = 0; l < 2 * j; ++l) {
      auto const q = Traits::CloneView(V, std::vector<int>{l % j});
      Traits::MvDot(*q, *v, number);
      Traits::MvAddMv(1.0, *v, -number[0], *q, *v);
    }
    Traits::MvNorm(*v, number);
    bool const depends = !(number[0] > 1e-10 * before[0]);
    Traits::MvScale(*v, depends ? 0.0 : 1 / number[0]);
  }
}

/// False if a sample of the entries is not symmetric. Collective.
bool may_be_symmetric(Tpetra::Operator<> const& A);
inline bool may_be_symmetric(ResidentOperator const&) {
  return true;
}

/// Removes from B the part along those columns of V that A maps to zero (to rounding; A is symmetric). Each
/// connected component has a nullspace of its own, and V must contain all of them. A column of B in the
/// nullspace becomes zero. Collective.
template <class MV, class OP>
RangeProjection<MV> project_to_range(OP const& A, MV const& V, Teuchos::RCP<MV const> const& B) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  std::vector<int> null;
  auto const found = directions<MV, OP>(A, V, rounding_scales(A, V, V), V);
  for (std::size_t j = 0; j < found.size(); ++j)
    if (found[j].is_null()) null.push_back(static_cast<int>(j));
  if (!null.empty() && !may_be_symmetric(A)) null.clear();
  auto const columns = static_cast<std::size_t>(Traits::GetNumberVecs(*B));
  RangeProjection<MV> result{B, std::vector<double>(columns, 0.0)};
  if (null.empty()) return result;
  auto const Q = Traits::CloneCopy(V, null);
  orthonormalise(*Q);
  auto const left = Traits::CloneCopy(*B);
  std::vector<double> b_norms(columns), norm(1), dot(1);
  Traits::MvNorm(*B, b_norms);
  for (std::size_t j = 0; j < columns; ++j) {
    auto const b = Traits::CloneViewNonConst(*left, std::vector<int>{static_cast<int>(j)});
    double sum = 0;
    for (int l = 0; l < 2 * static_cast<int>(null.size()); ++l) {  // twice, because of rounding
      auto const q = Traits::CloneView(*Q, std::vector<int>{l % static_cast<int>(null.size())});
      Traits::MvDot(*q, *b, dot);
      Traits::MvAddMv(1.0, *b, -dot[0], *q, *b);
      sum += dot[0] * dot[0];
    }
    double const share = b_norms[j] > 0 ? std::sqrt(sum) / b_norms[j] : 0;
    if (share > std::numeric_limits<double>::epsilon()) result.share[j] = std::min(1.0, share);
    Traits::MvNorm(*b, norm);
    if (norm[0] <= 1e-14 * b_norms[j]) Traits::MvInit(*b, 0.0);
  }
  result.B = left;
  return result;
}

/// The largest share of a column of B along a vector v of likely_nullspace() with A v = 0, if that keeps
/// || b - A x || above tolerance ||b|| for every x; else 0. Also 0 if A is not symmetric or not a row matrix.
/// Two passes over A for each v with a share of B. Collective.
double share_out_of_range(Tpetra::Operator<> const& A, Teuchos::RCP<Tpetra::Operator<> const> const& M,
                          Tpetra::MultiVector<> const& B, double tolerance);

/// Describes two entries of an asymmetric matrix; empty if a sample of entries is symmetric, or if A is not a
/// row matrix. Collective.
std::string asymmetry(Tpetra::Operator<> const& A);

/// The part of a right-hand side in the nullspaces of floating components.
struct FloatingLoad {
  double share = 0;      ///< of ||b||, in all floating components; maximum over the columns
  long long row = 0;     ///< first row of the component with the largest share
  long long rows = 0;    ///< of that component
  long long others = 0;  ///< other components whose share exceeds the tolerance
};

/// The load that keeps || b - A x || above tolerance ||b|| for every x; share is 0 if there is none. A
/// component floats if the vectors of likely_nullspace() are its nullspace. A: symmetric. Collective.
FloatingLoad floating_load(Tpetra::RowMatrix<> const& A, Teuchos::RCP<Tpetra::Operator<> const> const& M,
                           Tpetra::MultiVector<> const& B, double tolerance);

/// The reason of the failed solve.
std::string text_of(FloatingLoad const& load);

}  // namespace Tessera::belos
