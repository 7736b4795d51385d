#pragma once
/// \file
/// Operators on multivectors that live where the preconditioner does.
#include "Tessera_ResidentMultiVector.hpp"

namespace Tessera {

/// Derive from it to give Belos an operator of your own: column(j) of X and Y are pointers into the memory of
/// their back end, and work on a GPU belongs on the stream of the system (ResidentSystem::stream).
class ResidentOperator {
 public:
  virtual ~ResidentOperator() = default;

  /// Y becomes the operator times X; equally many columns, no memory in common. Collective. Operators of
  /// Tessera's throw std::invalid_argument, on all ranks, where vectors have other rows or lie elsewhere.
  virtual void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const = 0;
  /// Whether the operator is its own transpose.
  virtual bool isSymmetric() const { return false; }
};

}  // namespace Tessera
