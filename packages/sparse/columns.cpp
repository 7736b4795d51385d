#include "sparse/columns_body.hpp"

namespace Tessera::sparse {

TESSERA_INSTANTIATE_COLUMNS(InstanceSpace)

}  // namespace Tessera::sparse
