#pragma once
/// \file
/// From a list of MueLu, ML or Ifpack2 to a list of Tessera's.
#include <Teuchos_ParameterList.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "parameters/vocabulary.hpp"

namespace Tessera::parameters {

/// An entry and its translation.
struct TranslatedEntry {
  std::string theirs;  ///< name (in a sublist with its path) and value
  TranslationStatus status;
  std::string ours;  ///< name and value in Tessera; empty: none
  std::string note;
};

struct Translation {
  std::vector<Library> libraries;  ///< of each translated list
  std::string name;  ///< of the outermost list: Tessera, Stratimikos, or Parameters of a program
  Teuchos::RCP<Teuchos::ParameterList> list;  ///< validate() accepts Tessera's lists in it
  std::vector<TranslatedEntry> entries;       ///< in the order of the list
};

/// Translates the library's own list, a Stratimikos list, whose "Preconditioner Type" names the library, or
/// any list that contains such lists or entries of Teko's inverse library, whose "Type" names it. All else
/// stays as it is. Absent parameters have Tessera's defaults. \param from library of the first kind of list;
/// empty: the library that has most of its names \throws core::InvalidInput with a line for each mistake: an
/// unknown parameter or value, or a list without
///         parameters of a preconditioner
Translation translate(Teuchos::ParameterList const& list, std::optional<Library> from = {});

/// Prints the entries by status: the same, renamed, without effect, without counterpart.
void print_translation(std::ostream& out, Translation const& translation);

}  // namespace Tessera::parameters
