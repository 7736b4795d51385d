#pragma once
/// \file
/// Strict reading of XML parameter lists.
#include <Teuchos_Comm.hpp>
#include <Teuchos_ParameterList.hpp>
#include <string>

namespace Tessera::parameters {

/// The list in an XML file; its name is the file's, so that messages about its entries name it. Rank 0 reads,
/// all ranks get the same list. Stricter than Teuchos, which keeps the last of duplicate parameters, reads
/// `3x` as 3, 2.7 as the int 2 and `abc` as 0, and takes `yes` for true: all these are refused here.
/// Collective. \throws core::InvalidInput on every rank, with file and line
Teuchos::RCP<Teuchos::ParameterList> read_xml(std::string const& file, Teuchos::Comm<int> const& comm);

/// The same from text; `name` stands for the file in messages. Not collective.
Teuchos::RCP<Teuchos::ParameterList> parse_xml(std::string const& text, std::string const& name);

}  // namespace Tessera::parameters
