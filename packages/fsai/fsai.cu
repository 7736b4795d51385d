#include "fsai/fsai_body.hpp"

namespace Tessera::fsai {

template class Fsai<double, Cuda>;
template class Fsai<float, Cuda>;

}  // namespace Tessera::fsai
