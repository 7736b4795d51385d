#include "fsai/pattern_body.hpp"
#include "fsai/pattern_cuda.cuh"

namespace Tessera::fsai {

template Pattern<Cuda> prefiltered(Cuda const&, LowerRows const&, double);

}  // namespace Tessera::fsai
