#pragma once
/// \file
/// The part of right-hand sides that a singular A reaches with no solution: where it may lie, and without it.
#include <BelosMultiVecTraits.hpp>
#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"
#include "belos/rounding_scales.hpp"

namespace Tessera::belos {

/// Whether b loses its part in the nullspace: the name of a parameter of Tessera's conjugate gradients.
constexpr char const* project_nullspace = "Project Nullspace";

/// What the levels of M reproduce where that is a preconditioner of Tessera's, else the constants: the
/// nullspace that most matrices have that have one.
Teuchos::RCP<Tpetra::MultiVector<> const> likely_nullspace(Tpetra::MultiVector<> const& like,
                                                           Teuchos::RCP<Tpetra::Operator<> const> const& M);
Teuchos::RCP<ResidentMultiVector const> likely_nullspace(ResidentMultiVector const& like,
                                                         Teuchos::RCP<ResidentOperator const> const& M);

/// Right-hand sides in the range of A, as far as its nullspace is known.
template <class MV>
struct InRange {
  Teuchos::RCP<MV const> B;   ///< what was given where no nullspace is known
  std::vector<double> share;  ///< of the norm of each column, taken out; 0 where that is rounding
  double largest_share() const { return share.empty() ? 0 : *std::max_element(share.begin(), share.end()); }
};

/// Such as "3e-09 % of the right-hand side, in the nullspace of the matrix, was taken out".
std::string taken_out_text(double share);

/// Columns of an orthonormal basis, in place: modified Gram-Schmidt, twice. What depends on those before
/// becomes zero.
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

/// Whether A is not seen to be anything else. Collective.
bool may_be_symmetric(Tpetra::Operator<> const& A);
inline bool may_be_symmetric(ResidentOperator const&) {
  return true;
}

/// B without what it has of those columns of V that A maps to zero (to rounding; A is symmetric). Of several
/// components each has a nullspace of its own, which V must have: a constant over all of them is one vector.
/// A column that is nothing else becomes zero. Collective.
template <class MV, class OP>
InRange<MV> in_range(OP const& A, MV const& V, Teuchos::RCP<MV const> const& B) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  std::vector<int> null;
  auto const found = directions<MV, OP>(A, V, rounding_scales(A, V, V), V);
  for (std::size_t j = 0; j < found.size(); ++j)
    if (found[j].is_null()) null.push_back(static_cast<int>(j));
  if (!null.empty() && !may_be_symmetric(A)) null.clear();
  auto const columns = static_cast<std::size_t>(Traits::GetNumberVecs(*B));
  InRange<MV> result{B, std::vector<double>(columns, 0.0)};
  if (null.empty()) return result;
  auto const Q = Traits::CloneCopy(V, null);
  orthonormalise(*Q);
  auto const left = Traits::CloneCopy(*B);
  std::vector<double> b_norms(columns), norm(1), dot(1);
  Traits::MvNorm(*B, b_norms);
  for (std::size_t j = 0; j < columns; ++j) {
    auto const b = Traits::CloneViewNonConst(*left, std::vector<int>{static_cast<int>(j)});
    double sum = 0;
    for (int l = 0; l < 2 * static_cast<int>(null.size()); ++l) {  // twice: what rounding has left
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

}  // namespace Tessera::belos
