#include "belos/nullspace.hpp"

#include <BelosTpetraAdapter.hpp>
#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "belos/matrix_passes.hpp"
#include "belos/operators.hpp"
#include "core/error.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "tpetra/matrix_checks.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::belos {
namespace {

/// Null if M is not Tessera's.
Teuchos::RCP<Tpetra::MultiVector<> const> known_nullspace(Tpetra::Operator<> const* M) {
  auto const* const ours = dynamic_cast<Details::Preconditioner const*>(M);
  return ours == nullptr ? Teuchos::null : ours->nearNullspace();
}

}  // namespace

Teuchos::RCP<Tpetra::MultiVector<> const> likely_nullspace(Tpetra::MultiVector<> const& like,
                                                           Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const known = known_nullspace(M.getRawPtr());
  if (!known.is_null()) return known;
  auto const constant = Teuchos::rcp(new Tpetra::MultiVector<>(like.getMap(), 1));
  constant->putScalar(1);
  return constant;
}

Teuchos::RCP<ResidentMultiVector const> likely_nullspace(ResidentMultiVector const& like,
                                                         Teuchos::RCP<ResidentOperator const> const& M) {
  auto const* const ours = dynamic_cast<PreconditionerOperator const*>(M.getRawPtr());
  auto const known = ours == nullptr ? Teuchos::null : known_nullspace(ours->origin());
  int const columns = known.is_null() ? 1 : static_cast<int>(known->getNumVectors());
  auto const vectors = Teuchos::rcp(new ResidentMultiVector(like, columns));
  if (known.is_null()) {
    vectors->fill(1);
  } else {
    vectors->upload(*known);
  }
  return vectors;
}

std::string projection_text(double share) {
  return krylov::percent(share) + " of the right-hand side, in the matrix's nullspace, was taken out";
}

bool may_be_symmetric(Tpetra::Operator<> const& A) {
  return asymmetry(A).empty();
}

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
        if (direction.prevents(tolerance * b_norm)) share = std::max(share, direction.share(b_norm));
    }
  }
  return share > 0 && tpetra::find_unequal_pair(*rows) ? 0 : share;
}

std::string asymmetry(Tpetra::Operator<> const& A) {
  auto const* rows = dynamic_cast<tpetra::RowMatrix const*>(&A);
  if (rows == nullptr) return {};
  return tpetra::asymmetry(*rows);
}

namespace {

using tpetra::GlobalOrdinal;

/// ComponentSums over the rows of one component, for k vectors V of its nullspace and m right-hand sides B:
/// the number of rows, then V^T V (k x k) and V^T B (k x m).
using ComponentSums = std::vector<double>;

class FloatingComponents {
 public:
  FloatingComponents(Tpetra::RowMatrix<> const& A, Tpetra::MultiVector<> const& V,
                     Tpetra::MultiVector<> const& B)
      : vectors_(V.getNumVectors()), columns_(B.getNumVectors()) {
    auto const label = tpetra::floating_components(A, V);
    tpetra::ReadColumns const v(V), b(B);
    std::map<GlobalOrdinal, ComponentSums> mine;
    for (std::size_t i = 0; i < label.size(); ++i) {
      if (label[i] == tpetra::not_floating) continue;
      auto& sums = mine.try_emplace(label[i], length(), 0.0).first->second;
      std::size_t at = 0;
      sums[at++] += 1;
      for (std::size_t p = 0; p < vectors_; ++p) {
        for (std::size_t q = 0; q < vectors_; ++q) sums[at++] += v[p][i] * v[q][i];
        for (std::size_t j = 0; j < columns_; ++j) sums[at++] += v[p][i] * b[j][i];
      }
    }
    gather(*A.getComm(), mine);
  }

  std::map<GlobalOrdinal, ComponentSums> const& all() const { return all_; }

  /// The squared norm of the part of column j in the nullspace of a component: Gram-Schmidt on the sums.
  double square_along(ComponentSums const& given, std::size_t j) const {
    auto sums = given;
    auto const at = [this](std::size_t p, std::size_t q) { return 1 + p * (vectors_ + columns_) + q; };
    double square = 0;
    for (std::size_t p = 0; p < vectors_; ++p) {
      double const pivot = sums[at(p, p)], of_b = sums[at(p, vectors_ + j)];
      if (!(pivot > 1e-10 * given[at(p, p)]))
        continue;  // zero in this component, or depends on earlier vectors
      square += of_b * of_b / pivot;
      for (std::size_t q = p + 1; q < vectors_; ++q) {
        double const factor = sums[at(q, p)] / pivot;
        for (std::size_t r = p + 1; r < vectors_; ++r) sums[at(q, r)] -= factor * sums[at(p, r)];
        sums[at(q, vectors_ + j)] -= factor * of_b;
      }
    }
    return square;
  }

 private:
  std::size_t length() const { return 1 + vectors_ * (vectors_ + columns_); }

  /// Adds the sums of all ranks.
  void gather(Teuchos::Comm<int> const& comm, std::map<GlobalOrdinal, ComponentSums> const& mine) {
    auto count = static_cast<int>(mine.size()), most = 0;
    Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, 1, &count, &most);
    auto const ranks = static_cast<std::size_t>(comm.getSize()), slots = static_cast<std::size_t>(most);
    std::vector<GlobalOrdinal> labels(slots, tpetra::not_floating), all_labels(ranks * slots);
    std::vector<double> sums(slots * length()), all_sums(ranks * sums.size());
    std::size_t slot = 0;
    for (auto const& [label, of_component] : mine) {
      labels[slot] = label;
      std::copy(of_component.begin(), of_component.end(), &sums[slot++ * length()]);
    }
    Teuchos::gatherAll(comm, most, labels.data(), static_cast<int>(all_labels.size()), all_labels.data());
    Teuchos::gatherAll(comm, static_cast<int>(sums.size()), sums.data(), static_cast<int>(all_sums.size()),
                       all_sums.data());
    for (std::size_t k = 0; k < all_labels.size(); ++k) {
      if (all_labels[k] == tpetra::not_floating) continue;
      auto& total = all_.try_emplace(all_labels[k], length(), 0.0).first->second;
      for (std::size_t s = 0; s < length(); ++s) total[s] += all_sums[k * length() + s];
    }
  }

  std::size_t vectors_, columns_;
  std::map<GlobalOrdinal, ComponentSums> all_;
};

}  // namespace

FloatingLoad floating_load(Tpetra::RowMatrix<> const& A, Teuchos::RCP<Tpetra::Operator<> const> const& M,
                           Tpetra::MultiVector<> const& B, double tolerance) {
  FloatingComponents const components(A, *likely_nullspace(B, M), B);
  std::vector<double> norms(B.getNumVectors());
  B.norm2(Teuchos::arrayViewFromVector(norms));
  FloatingLoad found;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    FloatingLoad here;
    double square = 0, largest = 0;
    for (auto const& [label, sums] : components.all()) {
      double const part = components.square_along(sums, j) / (norms[j] * norms[j]);
      square += part;
      if (!(part > tolerance * tolerance)) continue;
      ++here.others;
      if (part <= largest) continue;
      largest = part;
      here.row = label;
      here.rows = static_cast<long long>(sums.front());
    }
    if (here.others == 0) continue;
    --here.others;
    here.share = std::sqrt(square);
    if (here.share > found.share) found = here;
  }
  return found;
}

std::string text_of(FloatingLoad const& load) {
  auto where = core::message("the component of row ", load.row, ", of ", load.rows,
                             load.rows == 1 ? " row" : " rows", ", floats");
  if (load.others > 0)
    where += core::message(load.others == 1 ? ", and so does " : ", and so do ", load.others,
                           load.others == 1 ? " other" : " others", " with a load");
  return krylov::singular_text(load.share, where);
}

}  // namespace Tessera::belos
