#include "fsai/lower_matrix_body.hpp"

namespace Tessera::fsai {

template class LowerMatrix<Host>;

}  // namespace Tessera::fsai
