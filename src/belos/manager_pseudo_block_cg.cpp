#include <BelosPseudoBlockCGSolMgr.hpp>

#include "belos/managers.hpp"

namespace Tessera::belos {

Teuchos::RCP<ResidentManager> make_pseudo_block_cg() {
  return Teuchos::rcp(new Belos::PseudoBlockCGSolMgr<double, ResidentMultiVector, ResidentOperator>);
}

}  // namespace Tessera::belos
