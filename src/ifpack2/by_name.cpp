#include "ifpack2/by_name.hpp"

#include <Ifpack2_Factory.hpp>
#include <Ifpack2_Parameters.hpp>

#include "core/error.hpp"
#include "parameters/vocabulary.hpp"

namespace Tessera::ifpack2 {
namespace {

/// Chebyshev takes unknown names without a word (Relaxation does not). Valid are the words of Ifpack2's
/// lists, the names in its own table, and those that the preconditioner fills in by itself when it gets an
/// empty list.
void check_names(Teuchos::ParameterList const& given, AnyIfpack2& op, std::string const& list_name) {
  Teuchos::ParameterList valid, filled;
  Ifpack2::getValidParameters(valid);
  op.setParameters(filled);
  for (auto const& entry : given) {
    auto const& name = entry.first;
    TESSERA_VALIDATE(entry.second.isList() || valid.isParameter(name) || filled.isParameter(name) ||
                         parameters::find_word(parameters::Library::ifpack2, name) != nullptr,
                     list_name, ": \"", name, "\" is not a parameter of Ifpack2; see its user's guide");
  }
}

}  // namespace

Teuchos::RCP<AnyIfpack2> ifpack2_by_name(std::string const& type, int overlap,
                                         Teuchos::ParameterList const& parameters,
                                         Teuchos::RCP<tpetra::RowMatrix const> const& A,
                                         std::string const& type_name, std::string const& list_name) {
  Ifpack2::Factory factory;
  TESSERA_VALIDATE(factory.isSupported<tpetra::RowMatrix>(type), type_name, " is \"", type,
                   "\", which is not in this Ifpack2; choose for instance \"CHEBYSHEV\", \"RELAXATION\" or "
                   "\"SCHWARZ\"");
  auto const op = factory.create<tpetra::RowMatrix>(type, A, overlap);
  // Set also where there are none, since Chebyshev's constructor leaves its boost factor out. Ifpack2 adds to
  // what it gets, and its wrapper of Amesos2 looks at the list's name.
  Teuchos::ParameterList own("Amesos2");
  own.setParameters(parameters);
  if (parameters.numParams() > 0) check_names(parameters, *op, list_name);
  op->setParameters(own);
  return op;
}

}  // namespace Tessera::ifpack2
