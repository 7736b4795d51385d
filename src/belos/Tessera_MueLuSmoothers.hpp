#pragma once
/// \file
/// Tessera's smoothers and preconditioners inside MueLu's hierarchies.
namespace Tessera {

/// After this call, lists of MueLu can name Tessera's smoothers and preconditioners, in any case, as
/// `smoother: type` (also `pre type`, `post type`) and as `coarse: type`. `smoother: params` and `coarse:
/// params` are then lists of Tessera. MueLu asks Belos::SolverFactory for types that Ifpack2 and Amesos2 lack
/// (MueLu_BelosSmoother_def.hpp); this call adds a factory there, for Tpetra's vectors. Call it before MueLu
/// reads a list; further calls have no effect. Not collective.
///
/// - "Tessera FSAI", "Tessera CHEBYSHEV", "Tessera RELAXATION": the values of Tessera's `smoother: type`. A
/// single smoother, as on a level of Tessera: a polynomial in G^T G A or in D^-1 A, or sweeps. Its parameters
/// may stand at the top of the list. Parameters of levels or of another smoother are errors.
/// - "Tessera SA-AMG" and the other names of Tessera::Factory: one application of that preconditioner.
///
/// The default of `precision: hierarchy` is double here, because the outer solver of MueLu's hierarchy is
/// unknown. Each setup of the smoother by MueLu is a setup of Tessera. MueLu's setup throws, on all ranks,
/// the exceptions of setParameters() and compute(). For an unknown name that begins with "Tessera " it throws
/// core::InvalidInput (a std::invalid_argument), which lists the known names.
void registerMueLuSmoothers();

}  // namespace Tessera
