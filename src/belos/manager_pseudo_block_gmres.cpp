#include <BelosPseudoBlockGmresSolMgr.hpp>

#include "belos/managers.hpp"

namespace Tessera::belos {

Teuchos::RCP<ResidentManager> make_pseudo_block_gmres() {
  return Teuchos::rcp(new Belos::PseudoBlockGmresSolMgr<double, ResidentMultiVector, ResidentOperator>);
}

}  // namespace Tessera::belos
