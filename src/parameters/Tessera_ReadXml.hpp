#pragma once
/// \file
/// Strict reading of parameter lists in XML, and in YAML.
#include <Teuchos_Comm.hpp>
#include <Teuchos_ParameterList.hpp>
#include <iostream>
#include <string>

namespace Tessera {

/// The list in a file of XML, or of YAML if the file's name ends in .yaml or .yml, for Stratimikos, Belos or
/// setParameters(). Rank 0 reads the file; all ranks get the same list, named after the file. Refuses
/// mistakes in XML that Teuchos' reader accepts: duplicate parameters, `3x` or 2.7 for an int, `abc` for a
/// double, `yes` for a bool. Teuchos' parser reads YAML. warnings: where rank 0 writes them; null: nowhere.
/// Collective. \throws std::invalid_argument on every rank, naming file and line
Teuchos::RCP<Teuchos::ParameterList> readXml(std::string const& file, Teuchos::Comm<int> const& comm,
                                             std::ostream* warnings = &std::cerr);

}  // namespace Tessera
