#pragma once
/// \file
/// Right-hand sides and solutions of Tpetra for a solver on a ResidentSystem.
#include <optional>
#include <string>

#include "Tessera_ResidentSystem.hpp"
#include "belos/operators.hpp"
#include "core/space.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::belos {

/// B and X on the system's space: Tpetra's own memory if it lies there, else copies. While an object lives, B
/// and X must not be used in any other way, because Kokkos counts the views.
class SystemVectors {
 public:
  SystemVectors(ResidentSystem const& system, tpetra::MultiVector const& B, tpetra::MultiVector& X)
      : target_(X) {
    if (tpetra::vectors_on_device && std::string(system.backend()) == Cuda::name) {
      from_.emplace(B);
      to_.emplace(X);
      b = system.wrap(columns_of(*from_));
      x = system.wrap(columns_of(*to_));
    } else {
      b = system.upload(B);
      x = system.upload(X);
    }
  }
  /// Writes the solution to X, where it is not there.
  void finish() {
    if (to_) {
      x->residence().on_space([](auto const& space) { core::synchronize(space); });
    } else {
      x->download(target_);
    }
  }

  Teuchos::RCP<ResidentMultiVector> b, x;

 private:
  template <class Columns>
  static std::vector<double*> columns_of(Columns const& columns) {
    std::vector<double*> pointers;  // those of B are only read
    for (std::size_t j = 0; j < columns.size(); ++j)
      pointers.push_back(const_cast<double*>(columns[j].data()));
    return pointers;
  }

  tpetra::MultiVector& target_;
  std::optional<tpetra::ReadColumnsOn<Cuda>> from_;
  std::optional<tpetra::WriteColumnsOn<Cuda>> to_;
};

}  // namespace Tessera::belos
