#pragma once
/// \file
/// A list of MueLu, ML or Ifpack2 becomes a list of ours.
#include <Teuchos_ParameterList.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "parameters/vocabulary.hpp"

namespace Tessera::parameters {

/// What became of one entry.
struct Translated {
  std::string theirs;  ///< name, in a sublist with its path, and value
  TranslationStatus status;
  std::string ours;  ///< name and value here; empty: none
  std::string note;
};

struct Translation {
  Library library = Library::muelu;
  Teuchos::RCP<Teuchos::ParameterList> list;  ///< what validate() accepts
  std::vector<Translated> words;              ///< in the order of the list
};

/// Of a Stratimikos list, whose "Preconditioner Type" says the library, or of the library's own list. A
/// Stratimikos list stays one, with the same solver. What a list leaves out has Tessera's default.
/// from: whose words a list of the latter kind has; none: whose it has most of.
/// \throws core::InvalidInput with one line for every mistake: a word that the library has not, a value that
/// the word has not, a list that is no preconditioner's
Translation translate(Teuchos::ParameterList const& list, std::optional<Library> from = {});

/// The words as a table of plain text: taken as they are, named otherwise here, without counterpart.
void print_translation(std::ostream& out, Translation const& translation);

}  // namespace Tessera::parameters
