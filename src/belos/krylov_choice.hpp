#pragma once
/// \file
/// The Krylov method that a list chooses.
#include "belos/iterate.hpp"
#include "parameters/agreement.hpp"
#include "parameters/selection.hpp"

namespace Tessera::belos {

/// What a list says of the solver, refused where the solver would not know it. \throws core::InvalidInput
KrylovChoice krylov_choice(parameters::Selection const& selection);

/// Whether Tessera's conjugate gradients carry out what is chosen where they are asked to.
bool is_one_of_ours(KrylovChoice const& choice);

/// Takes tolerance and largest number of iterations from the solver's parameters, after they have changed.
/// \throws core::InvalidInput where they make no sense
void settle(KrylovChoice& choice);

/// What ranks must say alike of it. Not what is printed.
parameters::Said said(KrylovChoice const& choice);

}  // namespace Tessera::belos
