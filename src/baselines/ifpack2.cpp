#include <Ifpack2_Factory.hpp>
#include <Ifpack2_Parameters.hpp>

#include "baselines/make.hpp"
#include "core/error.hpp"

namespace Tessera::baselines {
namespace {

using RowMatrix = Tpetra::RowMatrix<>;

using Ifpack2Preconditioner = Ifpack2::Preconditioner<RowMatrix::scalar_type, RowMatrix::local_ordinal_type,
                                                      RowMatrix::global_ordinal_type, RowMatrix::node_type>;

/// Chebyshev takes unknown names without a word (Relaxation does not). Valid are the names in Ifpack2's own
/// table, which lacks some, and those that the preconditioner fills in by itself when it gets an empty list.
void check_names(Teuchos::ParameterList const& settings, Ifpack2Preconditioner& op) {
  Teuchos::ParameterList valid, filled;
  Ifpack2::getValidParameters(valid);
  op.setParameters(filled);
  for (auto const& entry : settings) {
    TESSERA_VALIDATE(
        entry.second.isList() || valid.isParameter(entry.first) || filled.isParameter(entry.first),
        "Preconditioner Types -> Ifpack2 -> Ifpack2 Settings: \"", entry.first,
        "\" is not a parameter of Ifpack2; see its user's guide");
  }
}

}  // namespace

Preconditioner make_ifpack2(Teuchos::ParameterList const& list, ProblemData const& data) {
  Teuchos::ParameterList valid("Ifpack2");
  valid.set("Prec Type", "CHEBYSHEV");
  valid.set("Overlap", 0);
  valid.sublist("Ifpack2 Settings").disableRecursiveValidation();
  list.validateParameters(valid, 0);
  auto const type = list.isParameter("Prec Type") ? list.get<std::string>("Prec Type") : "CHEBYSHEV";
  auto const overlap = list.isParameter("Overlap") ? list.get<int>("Overlap") : 0;
  Ifpack2::Factory factory;
  TESSERA_VALIDATE(
      factory.isSupported<RowMatrix>(type), "Preconditioner Types -> Ifpack2 -> Prec Type: \"", type,
      "\" is not in this Ifpack2; choose for instance \"CHEBYSHEV\", \"RELAXATION\" or \"SCHWARZ\"");
  auto const op = factory.create<RowMatrix>(type, data.matrix, overlap);
  // Set also where there are none, since Chebyshev's constructor leaves its boost factor out. Ifpack2 adds to
  // what it gets, and its wrapper of Amesos2 looks at the list's name.
  Teuchos::ParameterList settings("Amesos2");
  if (list.isSublist("Ifpack2 Settings")) {
    settings = list.sublist("Ifpack2 Settings");
    check_names(settings, *op);
  }
  op->setParameters(settings);
  op->initialize();
  op->compute();
  return {"Ifpack2 " + type, op, 0.0, 0, [op] {
            Info info;
            info.description = op->description();
            return info;
          }};
}

}  // namespace Tessera::baselines
