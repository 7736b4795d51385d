#pragma once
/// \file
/// NVIDIA's cuDSS, a sparse direct solver of GPUs, where its library is found when the program runs.
#include "sparse/engine/direct/direct_solver.hpp"

namespace Tessera::sparse {

/// Factors of a symmetric positive definite matrix, whose lower triangle is read, by version 1 of libcudss.
/// The same matrix gives the same bits. \throws core::Unavailable where the space is not a GPU's, or has no
/// such library; the solvers throw core::NumericalError of a matrix that is not positive definite
template <class Space>
DirectSolvers<Space> cudss_solvers();

}  // namespace Tessera::sparse
