#pragma once
/// \file
/// Teuchos' communicator as ours.
#include <Teuchos_Comm.hpp>

#include "comm/communicator.hpp"

namespace Tessera::tpetra {

/// A Teuchos::MpiComm's communicator, or this rank alone for a Teuchos::SerialComm. Collective.
/// \throws core::InvalidInput on any other kind
comm::Communicator communicator(Teuchos::Comm<int> const& comm);

}  // namespace Tessera::tpetra
