#include "fsai/fsai_body.hpp"
#include "fsai/lower_matrix_body.hpp"

namespace Tessera::fsai {

template class LowerMatrix<InstanceSpace>;
template class Fsai<double, InstanceSpace>;
template class Fsai<float, InstanceSpace>;
TESSERA_FSAI_BLOCKS(InstanceSpace, double)
TESSERA_FSAI_BLOCKS(InstanceSpace, float)

}  // namespace Tessera::fsai
