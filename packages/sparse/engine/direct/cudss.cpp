#include "sparse/engine/direct/direct_solver.hpp"

#include "core/error.hpp"

namespace Tessera::sparse {

template <>
DirectSolvers<Host> cudss_solvers<Host>() {
  throw core::Unavailable(
      "`coarse: type` = cudss: cuDSS factors on a GPU, and this preconditioner is on the host; set `backend: "
      "type` = cuda, or take `coarse: type` = dense, amesos2 or smoother");
}

}  // namespace Tessera::sparse
