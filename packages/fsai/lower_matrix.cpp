#include "fsai/lower_matrix_body.hpp"

namespace Tessera::fsai {

template class LowerMatrix<InstanceSpace>;

}  // namespace Tessera::fsai
