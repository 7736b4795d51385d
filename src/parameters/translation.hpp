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
  Library library = Library::muelu;
  Teuchos::RCP<Teuchos::ParameterList> list;  ///< validate() accepts it
  std::vector<TranslatedEntry> entries;       ///< in the order of the list
};

/// Of a Stratimikos list, whose "Preconditioner Type" says the library, or of the library's own list. A
/// Stratimikos list stays one, with the same solver. What a list leaves out has Tessera's default.
/// from: whose words a list of the latter kind has; none: whose it has most of.
/// \throws core::InvalidInput with one line for every mistake: a foreign that the library has not, a value
/// that the foreign has not, a list that is no preconditioner's
Translation translate(Teuchos::ParameterList const& list, std::optional<Library> from = {});

/// Prints the entries by status: the same, renamed, without effect, without counterpart.
void print_translation(std::ostream& out, Translation const& translation);

}  // namespace Tessera::parameters
