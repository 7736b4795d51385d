#pragma once
/// \file
/// Operators on multivectors in the memory of the preconditioner's back end.
#include "Tessera_ResidentMultiVector.hpp"

namespace Tessera {

/// Base class of your own operators for Belos: column(j) of X and Y are pointers into the memory of their
/// back end. Enqueue work for a GPU on the stream of the system (ResidentSystem::stream).
class ResidentOperator {
 public:
  virtual ~ResidentOperator() = default;

  /// Y = this X, with equally many columns and no common memory. Collective. Operators of Tessera throw
  /// std::invalid_argument, on all ranks, for vectors with other rows or on another back end.
  virtual void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const = 0;
  /// Whether the operator is its own transpose.
  virtual bool isSymmetric() const { return false; }
};

}  // namespace Tessera
