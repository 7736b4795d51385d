#pragma once
/// \file
#include "sparse/csr.hpp"

namespace Tessera::benchmarks {

/// The 7-point stencil on side x side x side points. Compiled by nvcc, apart from sources with Trilinos.
sparse::Csr<double, Cuda> laplacian_on_device(Cuda const& space, Index side);

}  // namespace Tessera::benchmarks
