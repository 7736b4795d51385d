#include "fsai/fsai_body.hpp"

namespace Tessera::fsai {

template class Fsai<double, Host>;
template class Fsai<float, Host>;
TESSERA_FSAI_BLOCKS(Host, double)
TESSERA_FSAI_BLOCKS(Host, float)

}  // namespace Tessera::fsai
