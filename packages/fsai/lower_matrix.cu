#include "fsai/lower_matrix_body.hpp"

namespace Tessera::fsai {

template class LowerMatrix<Cuda>;

}  // namespace Tessera::fsai
