#include <BelosBlockCGSolMgr.hpp>

#include "belos/managers.hpp"

namespace Tessera::belos {

Teuchos::RCP<ResidentManager> make_block_cg() {
  return Teuchos::rcp(new Belos::BlockCGSolMgr<double, ResidentMultiVector, ResidentOperator>);
}

}  // namespace Tessera::belos
