#pragma once
/// \file
/// Our exceptions as Thyra's.
#include <Thyra_SolveSupportTypes.hpp>

#include "core/error.hpp"

namespace Tessera::stratimikos {

/// Does it. \throws Thyra::CatastrophicSolveFailure where that fails for what numbers are
template <class Work>
auto or_catastrophe(Work const& work) {
  try {
    return work();
  } catch (core::NumericalError const& error) {
    throw Thyra::CatastrophicSolveFailure(error.what());
  }
}

}  // namespace Tessera::stratimikos
