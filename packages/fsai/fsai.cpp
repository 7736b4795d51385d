#include "fsai/fsai_driver.hpp"

namespace Tessera::fsai {

template class Fsai<double, Host>;
template class Fsai<float, Host>;

}  // namespace Tessera::fsai
