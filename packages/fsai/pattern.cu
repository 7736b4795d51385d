#include "fsai/pattern_body.hpp"

namespace Tessera::fsai {

template Pattern<Cuda> prefiltered(Cuda const&, LowerRows const&, double);

}  // namespace Tessera::fsai
