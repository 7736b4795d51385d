#include "Tessera_BelosSolvers.hpp"

#include <BelosBlockCGSolMgr.hpp>
#include <BelosBlockGmresSolMgr.hpp>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosPseudoBlockGmresSolMgr.hpp>
#include <BelosSolverFactory_Tpetra.hpp>
#include <algorithm>

#include "belos/conjugate_gradients.hpp"
#include "parameters/messages.hpp"

namespace Tessera {
namespace {

template <class MV, class OP>
class OurSolvers final : public Belos::CustomSolverFactory<double, MV, OP> {
 public:
  Teuchos::RCP<Belos::SolverManager<double, MV, OP>> getSolver(
      std::string const& name, Teuchos::RCP<Teuchos::ParameterList> const& parameters) override {
    if (!isSupported(name)) return Teuchos::null;
    auto const manager = Teuchos::rcp(
        new belos::ConjugateGradients<MV, OP>(parameters::upper_case(name) == "TESSERA FLEXIBLE CG"));
    if (!parameters.is_null()) manager->setParameters(parameters);
    return manager;
  }
  int numSupportedSolvers() const override { return 2; }
  std::vector<std::string> supportedSolverNames() const override {
    return {"TESSERA CG", "TESSERA FLEXIBLE CG"};
  }
  bool isSupported(std::string const& name) const override {
    auto const names = supportedSolverNames();
    return std::find(names.begin(), names.end(), parameters::upper_case(name)) != names.end();
  }
};

using MV = ResidentMultiVector;
using OP = ResidentOperator;
using Parent = Belos::Impl::SolverFactoryParent<double, MV, OP>;

/// Belos' factory without registration in its constructor.
class Bare : public Parent {};

void register_all() {
  Parent::registerSolver("PSEUDOBLOCK CG", Teuchos::rcp(new Belos::PseudoBlockCGSolMgr<double, MV, OP>));
  Parent::registerSolver("BLOCK CG", Teuchos::rcp(new Belos::BlockCGSolMgr<double, MV, OP>));
  Parent::registerSolver("PSEUDOBLOCK GMRES",
                         Teuchos::rcp(new Belos::PseudoBlockGmresSolMgr<double, MV, OP>));
  Parent::registerSolver("BLOCK GMRES", Teuchos::rcp(new Belos::BlockGmresSolMgr<double, MV, OP>));
  Bare().addFactory(Teuchos::rcp(new OurSolvers<MV, OP>));
  Belos::SolverFactory<double, Tpetra::MultiVector<>, Tpetra::Operator<>>().addFactory(
      Teuchos::rcp(new OurSolvers<Tpetra::MultiVector<>, Tpetra::Operator<>>));
}

}  // namespace

void registerBelosSolvers() {
  static bool const done = (register_all(), true);
  static_cast<void>(done);
}

}  // namespace Tessera
