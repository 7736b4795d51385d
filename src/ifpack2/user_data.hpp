#pragma once
/// \file
/// Near-nullspace and coordinates as programs hand them over.
#include <Teuchos_ParameterList.hpp>

#include "multigrid/parameters.hpp"
#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

using MultiVectorPointer = Teuchos::RCP<tpetra::MultiVector const>;

/// Null where nothing was given.
struct UserData {
  MultiVectorPointer nullspace, coordinates, material;
};

/// The sublist "user data" of a list, as MueLu has it: "Nullspace", "Coordinates" and "Material", each an RCP
/// to a Tpetra::MultiVector, const or not. \throws core::InvalidInput on other names and types
UserData user_data(Teuchos::ParameterList const& list);

/// As the hierarchy takes it: `rows` rows on this rank, `equations` of them a node. Where there are
/// coordinates of as many dimensions as a node has unknowns, 2 or 3, but no nullspace: rigid-body modes.
/// Collective. \throws core::InvalidInput, on every rank, where lengths do not fit or a value is not finite
multigrid::NearNullspace near_nullspace(comm::Communicator const& comm, UserData const& data,
                                        std::size_t rows, int equations);

}  // namespace Tessera::ifpack2
