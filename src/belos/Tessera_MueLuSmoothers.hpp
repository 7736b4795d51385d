#pragma once
/// \file
/// Tessera inside MueLu's hierarchies.
namespace Tessera {

/// Lets lists of MueLu name Tessera's smoothers and preconditioners, in any case, as `smoother: type` (also
/// `pre type`, `post type`) and as `coarse: type`, with a list of Tessera's as `smoother: params` and
/// `coarse: params`. MueLu asks Belos::SolverFactory for a type that neither Ifpack2 nor Amesos2 has
/// (MueLu_BelosSmoother_def.hpp); this call adds a factory there, for Tpetra's vectors. To be called before
/// MueLu reads a list; again does nothing. Not collective.
///
/// - "Tessera FSAI", "Tessera CHEBYSHEV", "Tessera RELAXATION": the values of Tessera's `smoother: type`. The
///   smoother of that type alone, as on a level of Tessera's: a polynomial in G^T G A or in D^-1 A, or
///   sweeps. Its parameters may stand at the top of the list. What chooses levels or another smoother is
///   refused.
/// - "Tessera SA-AMG" and the other names of Tessera::Factory: one application of that preconditioner.
///
/// `precision: hierarchy` is double unless the list says another, since what solves with MueLu's hierarchy is
/// not known here. Each setup of MueLu's that visits the smoother is a setup of Tessera's. MueLu's own setup
/// throws, on all ranks, what setParameters() and compute() throw, and core::InvalidInput (a
/// std::invalid_argument) with what there is for a name that begins with "Tessera " and is none.
void registerMueLuSmoothers();

}  // namespace Tessera
