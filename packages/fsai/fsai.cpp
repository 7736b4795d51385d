#include "fsai/fsai_body.hpp"

namespace Tessera::fsai {

template class Fsai<double, Host>;
template class Fsai<float, Host>;

}  // namespace Tessera::fsai
