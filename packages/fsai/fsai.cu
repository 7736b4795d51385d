#include "fsai/fsai_body.hpp"

namespace Tessera::fsai {

template class Fsai<double, Cuda>;
template class Fsai<float, Cuda>;
TESSERA_FSAI_BLOCKS(Cuda, double)
TESSERA_FSAI_BLOCKS(Cuda, float)

}  // namespace Tessera::fsai
