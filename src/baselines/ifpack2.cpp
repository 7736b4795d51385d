#include "baselines/preconditioner.hpp"
#include "ifpack2/third_party.hpp"

namespace Tessera::baselines {

Preconditioner make_ifpack2(Teuchos::ParameterList const& list, ProblemData const& data) {
  Teuchos::ParameterList valid("Ifpack2");
  valid.set("Prec Type", "CHEBYSHEV");
  valid.set("Overlap", 0);
  valid.sublist("Ifpack2 Settings").disableRecursiveValidation();
  list.validateParameters(valid, 0);
  auto const type = list.isParameter("Prec Type") ? list.get<std::string>("Prec Type") : "CHEBYSHEV";
  auto const overlap = list.isParameter("Overlap") ? list.get<int>("Overlap") : 0;
  Teuchos::ParameterList const none;
  auto const& settings = list.isSublist("Ifpack2 Settings") ? list.sublist("Ifpack2 Settings") : none;
  std::string const path = "Preconditioner Types -> Ifpack2 -> ";
  auto const op = ifpack2::ifpack2_by_name(type, overlap, settings, data.matrix, path + "Prec Type",
                                           path + "Ifpack2 Settings");
  op->initialize();
  op->compute();
  return {"Ifpack2 " + type, op, 0.0, 0, [op] {
            Info info;
            info.description = op->description();
            return info;
          }};
}

}  // namespace Tessera::baselines
