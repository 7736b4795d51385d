#pragma once
/// \file
/// The ready lists (xml_params), which lie beside the program: in share/tessera/xml_params of an installation
/// and of a build.
#include <Teuchos_Comm.hpp>
#include <string>

namespace Tessera::cli {

/// For the end of a message: where the ready lists lie and which there are, or where there should be some.
std::string where_lists_lie();

/// What --xml says as a file: a file as it is, else the ready list of that name, with or without .xml. As
/// given where it is neither.
std::string list_path(std::string const& given);
/// The same on every rank, by what rank 0 finds. Collective.
/// \throws core::InvalidInput naming the ready lists, where it is neither
std::string list_file(std::string const& given, Teuchos::Comm<int> const& comm);

}  // namespace Tessera::cli
