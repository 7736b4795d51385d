#include <BelosSolverFactory_Tpetra.hpp>
#include <BelosTpetraAdapter.hpp>

#include "belos/iterate_body.hpp"
#include "parameters/messages.hpp"

namespace Tessera::belos {

using Vectors = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;

namespace {

/// Checks names and types: managers read each parameter as the type of its default.
void check_entries(Teuchos::ParameterList const& list, Teuchos::ParameterList const& valid,
                   std::string const& solver) {
  using parameters::where;
  for (auto it = list.begin(); it != list.end(); ++it) {
    auto const& name = list.name(it);
    if (auto const* known = valid.getEntryPtr(name)) {
      auto const &mine = list.entry(it).getAny(false), &its = known->getAny(false);
      TESSERA_VALIDATE(mine.type() == its.type(), where(list, name), " is ",
                       core::excerpt(Teuchos::toString(mine)), " of type ", mine.typeName(),
                       "; its type must be ", its.typeName());
      continue;
    }
    std::vector<std::string> names;
    for (auto const& one : valid) names.push_back(one.first);
    throw core::InvalidInput(where(list, name) + " is no parameter of " + solver +
                             parameters::hint(name, names));
  }
}

}  // namespace

void validate(KrylovChoice const& choice) {
  auto const manager = make_manager<Vectors, Operator>(choice.solver);
  auto const valid = manager->getValidParameters();
  auto const missing = missing_parameter(*valid);
  TESSERA_VALIDATE(missing.empty(), choice.parameters.name(), ": ", choice.solver, " has no \"", missing,
                   "\", which is needed to end a solve; choose another solver");
  check_entries(choice.parameters, *valid, choice.solver);
  char const* const style = "Output Style";
  bool const of_the_user =
      choice.parameters.isParameter(style) && choice.parameters.get<int>(style) == Belos::User;
  TESSERA_VALIDATE(!of_the_user, parameters::where(choice.parameters, style), " is ", int{Belos::User},
                   ", for which a program must give Belos status tests; take 0 or 1");
  char const* const quorum = "Deflation Quorum";
  TESSERA_VALIDATE(!choice.parameters.isParameter(quorum) || choice.parameters.get<int>(quorum) > 0,
                   parameters::where(choice.parameters, quorum), " is ", choice.parameters.get<int>(quorum),
                   ", with which Belos would never end; it must be at least 1");
  try {
    choice.parameters.validateParameters(*valid, 0);
    manager->setParameters(Teuchos::rcp(new Teuchos::ParameterList(choice.parameters)));
  } catch (std::exception const& error) {
    throw core::InvalidInput(choice.parameters.name() + ": " + parameters::plain_text(error.what()));
  }
}

template SolveOutcome iterate(KrylovChoice const&, Teuchos::RCP<Operator const> const&,
                              Teuchos::RCP<Operator const> const&, Teuchos::RCP<Vectors const> const&,
                              Teuchos::RCP<Vectors> const&, bool, Kept<Vectors, Operator>&);

}  // namespace Tessera::belos
