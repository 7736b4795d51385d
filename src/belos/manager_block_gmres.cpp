#include <BelosBlockGmresSolMgr.hpp>

#include "belos/managers.hpp"

namespace Tessera::belos {

Teuchos::RCP<ResidentManager> make_block_gmres() {
  return Teuchos::rcp(new Belos::BlockGmresSolMgr<double, ResidentMultiVector, ResidentOperator>);
}

}  // namespace Tessera::belos
