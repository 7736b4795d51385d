#include "tpetra/types.hpp"

#include <Teuchos_DefaultMpiComm.hpp>
#include <Teuchos_DefaultSerialComm.hpp>

#include "core/error.hpp"

namespace Tessera::tpetra {

comm::Communicator communicator(Teuchos::Comm<int> const& comm) {
  if (auto const* mpi = dynamic_cast<Teuchos::MpiComm<int> const*>(&comm)) {
    return comm::Communicator((*mpi->getRawMpiComm())());
  }
  TESSERA_VALIDATE(dynamic_cast<Teuchos::SerialComm<int> const*>(&comm) != nullptr,
                   "Tpetra's communicator is neither a Teuchos::MpiComm nor a Teuchos::SerialComm (",
                   comm.description(), "): use one of these, so that Tessera finds the MPI communicator");
  return {};
}

}  // namespace Tessera::tpetra
