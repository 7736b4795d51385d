#pragma once
/// \file
/// Strict reading of XML parameter lists.
#include <Teuchos_Comm.hpp>
#include <Teuchos_ParameterList.hpp>
#include <string>

namespace Tessera {

/// The list in an XML file, for Stratimikos, Belos or setParameters(). Rank 0 reads the file; all ranks get
/// the same list, named after the file. Refuses mistakes that Teuchos' reader accepts: duplicate parameters,
/// `3x` or 2.7 for an int, `abc` for a double, `yes` for a bool. Collective. \throws std::invalid_argument on
/// every rank, naming file and line
Teuchos::RCP<Teuchos::ParameterList> readXml(std::string const& file, Teuchos::Comm<int> const& comm);

}  // namespace Tessera
