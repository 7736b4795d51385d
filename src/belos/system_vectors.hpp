#pragma once
/// \file
/// Right-hand sides and solutions of Tpetra for a solver on a ResidentSystem.
#include <string>
#include <variant>
#include <vector>

#include "Tessera_ResidentSystem.hpp"
#include "belos/operators.hpp"
#include "core/space.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::belos {

/// Copies of vectors that a sequence of solves keeps.
struct VectorCopies {
  Teuchos::RCP<ResidentMultiVector> b, x;
};

/// B and X on the system's space: Tpetra's own memory if it lies there, else the copies. While an object
/// lives, B and X must not be used in any other way, because Kokkos counts the views.
class SystemVectors {
 public:
  SystemVectors(ResidentSystem const& system, tpetra::MultiVector const& B, tpetra::MultiVector& X,
                VectorCopies& copies)
      : target_(X) {
    bool const on_gpu = std::string(system.backend()) == Cuda::name;
    if (!on_gpu) {
      wrap<Host>(system, B, X);
    } else if (tpetra::vectors_on_device) {
      wrap<Cuda>(system, B, X);
    } else {
      b = upload(system, B, copies.b);
      x = upload(system, X, copies.x);
    }
  }
  /// Writes the solution to X, where it is not there.
  void finish() {
    if (std::holds_alternative<std::monostate>(in_place_)) {
      x->download(target_);
    } else {
      x->residence().on_space([](auto const& space) { core::synchronize(space); });
    }
  }

  Teuchos::RCP<ResidentMultiVector> b, x;

 private:
  template <class Space>
  struct InPlace {
    tpetra::ReadColumnsOn<Space> from;
    tpetra::WriteColumnsOn<Space> to;
    InPlace(tpetra::MultiVector const& B, tpetra::MultiVector& X) : from(B), to(X) {}
  };

  template <class Space>
  void wrap(ResidentSystem const& system, tpetra::MultiVector const& B, tpetra::MultiVector& X) {
    auto const& there = in_place_.template emplace<InPlace<Space>>(B, X);
    b = system.wrap(columns_of(there.from));
    x = system.wrap(columns_of(there.to));
  }

  static Teuchos::RCP<ResidentMultiVector> upload(ResidentSystem const& system, tpetra::MultiVector const& X,
                                                  Teuchos::RCP<ResidentMultiVector>& copy) {
    auto const columns = static_cast<int>(X.getNumVectors());
    if (copy.is_null() || copy->columns() != columns || !system.fits(*copy)) copy = system.vectors(columns);
    copy->upload(X);
    return copy;
  }

  template <class Columns>
  static std::vector<double*> columns_of(Columns const& columns) {
    std::vector<double*> pointers;  // those of B are only read
    for (std::size_t j = 0; j < columns.size(); ++j)
      pointers.push_back(const_cast<double*>(columns[j].data()));
    return pointers;
  }

  tpetra::MultiVector& target_;
  std::variant<std::monostate, InPlace<Host>, InPlace<Cuda>> in_place_;
};

}  // namespace Tessera::belos
