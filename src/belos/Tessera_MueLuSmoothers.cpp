#include "Tessera_MueLuSmoothers.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosSolverFactory_Tpetra.hpp>

#include "belos/one_application.hpp"
#include "parameters/suggestion.hpp"
#include "parameters/teuchos_text.hpp"

namespace Tessera {
namespace {

using Vectors = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;
using Factory = Belos::SolverFactory<double, Vectors, Operator>;

/// Answers for every name that begins as ours do, but for those of solvers, so that a mistyped one is refused
/// here, with those that there are, and not by MueLu.
class Smoothers final : public Belos::CustomSolverFactory<double, Vectors, Operator> {
 public:
  Teuchos::RCP<Belos::SolverManager<double, Vectors, Operator>> getSolver(
      std::string const& name, Teuchos::RCP<Teuchos::ParameterList> const& parameters) override {
    if (!isSupported(name)) return Teuchos::null;
    auto const* part = belos::find_part(name);
    parameters::require<core::InvalidInput>(part != nullptr, "MueLu's list asks for \"", name,
                                            "\", which Tessera does not have; there are ", all_names(),
                                            parameters::hint(name, supportedSolverNames()));
    auto const manager = Teuchos::rcp(new belos::OneApplication(*part));
    if (!parameters.is_null()) manager->setParameters(parameters);
    return manager;
  }
  int numSupportedSolvers() const override { return static_cast<int>(belos::parts().size()); }
  std::vector<std::string> supportedSolverNames() const override {
    std::vector<std::string> names;
    for (auto const& part : belos::parts()) names.push_back(part.name);
    return names;
  }
  bool isSupported(std::string const& name) const override {
    auto const upper = parameters::upper_case(name);
    return upper.rfind("TESSERA ", 0) == 0 && upper != "TESSERA CG" && upper != "TESSERA FLEXIBLE CG";
  }

 private:
  std::string all_names() const {
    std::string text;
    for (auto const& name : supportedSolverNames()) text += (text.empty() ? "" : ", ") + name;
    return text;
  }
};

}  // namespace

void registerMueLuSmoothers() {
  static bool const done = (Factory().addFactory(Teuchos::rcp(new Smoothers)), true);
  static_cast<void>(done);
}

}  // namespace Tessera
