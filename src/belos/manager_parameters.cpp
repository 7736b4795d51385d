#include "belos/manager_parameters.hpp"

#include <BelosTypes.hpp>
#include <iostream>

#include "parameters/choice_validator.hpp"

namespace Tessera::belos {
namespace {

char const* const scaling = "Implicit Residual Scaling";

Teuchos::RCP<Teuchos::ParameterList const> make() {
  using Teuchos::rcp;
  auto const list = rcp(new Teuchos::ParameterList("Tessera conjugate gradients"));
  list->set("Convergence Tolerance", 1e-8,
            "Converged when the norm of the true residual is at most this times the reference.",
            rcp(new Teuchos::EnhancedNumberValidator<double>(0.0, 1.0)));
  list->set("Maximum Iterations", 1000, "For each right-hand side.",
            rcp(new Teuchos::EnhancedNumberValidator<int>(1, 2147483647)));
  using krylov::RelativeTo;
  list->set(scaling, "Norm of Initial Residual", "The reference that residuals are compared with.",
            rcp(new parameters::ChoiceValidator<RelativeTo>(
                Teuchos::tuple<std::string>("Norm of RHS", "Norm of Initial Residual", "None"),
                Teuchos::tuple(RelativeTo::rhs, RelativeTo::initial_residual, RelativeTo::one), scaling)));
  list->set("Maximum Replacements", 5,
            "How often the residual of the recurrence is replaced by the true one after the two have parted.",
            rcp(new Teuchos::EnhancedNumberValidator<int>(0, 1000)));
  list->set("Verbosity", static_cast<int>(Belos::Errors), "Sum of Belos::MsgType.");
  list->set("Output Style", static_cast<int>(Belos::General),
            "Belos::General or Belos::Brief, which print the same.");
  list->set("Output Frequency", -1, "Print the residual every so many iterations; -1: never.");
  list->set("Output Stream", Teuchos::rcpFromRef(std::cout), "Where rank 0 prints.");
  list->set("Timer Label", std::string("Belos"), "First word of the timer's name.");
  return list;
}

}  // namespace

Teuchos::RCP<Teuchos::ParameterList const> manager_parameters() {
  static Teuchos::RCP<Teuchos::ParameterList const> const list = make();
  return list;
}

krylov::Parameters solver_parameters(Teuchos::ParameterList const& list, bool flexible) {
  krylov::Parameters parameters;
  parameters.flexible = flexible;
  parameters.tolerance = list.get<double>("Convergence Tolerance");
  parameters.max_iterations = list.get<int>("Maximum Iterations");
  parameters.relative_to = Teuchos::getIntegralValue<krylov::RelativeTo>(list, scaling);
  parameters.max_replacements = list.get<int>("Maximum Replacements");
  return parameters;
}

}  // namespace Tessera::belos
