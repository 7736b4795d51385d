#pragma once
/// \file
/// Solver managers by name, for Tessera's vectors and for Tpetra's.
#include <BelosSolverFactory.hpp>

#include "Tessera_BelosTraits.hpp"

namespace Tessera {

/// Registers with Belos::SolverFactory:
/// - for Tessera's vectors, "Pseudo Block CG", "Block CG", "Block GMRES" and "Pseudo Block GMRES" with their
///   usual names ("CG", "GMRES", "Flexible GMRES"), which are compiled into the library;
/// - for Tessera's vectors and for Tpetra's, "TESSERA CG" and "TESSERA FLEXIBLE CG", whose iterations take
/// two
///   passes over vectors and matrix, and run wholly on the GPU. With Tpetra's vectors they copy matrix,
///   right-hand side and initial guess once per solve, and the solution back.
/// SolverFactory calls it for Tessera's vectors; call it once for Tpetra's. Not collective.
void registerBelosSolvers();

namespace belos {

/// Belos::SolverFactory for Tessera's vectors.
class SolverFactory : public Belos::Impl::SolverFactoryParent<double, ResidentMultiVector, ResidentOperator> {
 public:
  SolverFactory() { registerBelosSolvers(); }
};

}  // namespace belos
}  // namespace Tessera

namespace Belos {
namespace Impl {

template <>
class SolverFactorySelector<double, Tessera::ResidentMultiVector, Tessera::ResidentOperator> {
 public:
  typedef Tessera::belos::SolverFactory type;
};

}  // namespace Impl
}  // namespace Belos
