#include "Tessera_MueLuSmoothers.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosSolverFactory_Tpetra.hpp>
#include <algorithm>
#include <utility>

#include "belos/one_application.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "parameters/messages.hpp"
#include "parameters/selection.hpp"
#include "settings/settings.hpp"
#include "settings/table.hpp"
#include "tpetra/types.hpp"

namespace Tessera::belos {
namespace {

using parameters::require;

char const* const smoother_sublist = "smoother: params";

template <class Rows, class Holds>
auto find(Rows const& rows, Holds const& holds) {
  auto const found = std::find_if(rows.begin(), rows.end(), holds);
  return found == rows.end() ? nullptr : &*found;
}

std::vector<NamedPreconditioner> all_named() {
  std::vector<NamedPreconditioner> all;
  auto const add = [&all](std::string const& word, std::string const& factory, std::string const& smoother) {
    auto const name = "Tessera " + word;
    bool const there = find(all, [&](NamedPreconditioner const& one) { return one.name == name; }) != nullptr;
    if (word != "TESSERA" && !there) all.push_back({name, factory, smoother});
  };
  auto const* type = find(settings::table(), [](auto const& row) { return row.name == "smoother: type"; });
  for (auto const& choice : type->choices) add(choice, settings::methods().front().keys.front(), choice);
  for (auto const& method : settings::methods())
    for (auto const& key : method.keys) add(key, key, "");
  return all;
}

/// Whether a parameter has an effect on a single smoother.
bool applies_to_smoother(settings::Parameter const& row) {
  return row.sublist == smoother_sublist || row.section == "Formats, precision and back end" ||
         row.name == "verbosity" || row.name.rfind("timer for ", 0) == 0 || row.name == "tessera: strict";
}

/// Rejects parameters of levels. setParameters() rejects unknown names.
void check_smoother_list(NamedPreconditioner const& named, Teuchos::ParameterList const& list) {
  for (auto const& item : list) {
    auto const& name = item.first;
    auto const has_name = [&name](auto const& one) { return one.name == name; };
    auto const* row = find(settings::table(), [&](settings::Parameter const& one) {
      return has_name(one) || find(one.aliases, has_name) != nullptr;
    });
    bool const misplaced =
        item.second.isList() ? name != smoother_sublist : row && !applies_to_smoother(*row);
    require<core::InvalidInput>(
        !misplaced, list.name(), " -> \"", name, "\": has no effect (", named.name,
        " is one smoother, without levels); leave it out, or take \"Tessera SA-AMG\"");
  }
}

/// Completes a smoother's list for a hierarchy of one level.
void set_single_level(NamedPreconditioner const& named, Teuchos::ParameterList& list) {
  list.set("multigrid algorithm", "sa");
  list.set("max levels", 1);
  list.set("coarse: type", "smoother");
  list.set("coarse: sweeps", 1);
  list.set("smoother: type", named.smoother);
}

}  // namespace

std::vector<NamedPreconditioner> const& named_preconditioners() {
  static std::vector<NamedPreconditioner> const all = all_named();
  return all;
}

NamedPreconditioner const* find_named(std::string const& name) {
  auto const upper = parameters::upper_case(name);
  return find(named_preconditioners(),
              [&](NamedPreconditioner const& one) { return parameters::upper_case(one.name) == upper; });
}

OneApplication::OneApplication(NamedPreconditioner named)
    : named_(std::move(named)), M_(Details::create(named_.factory, Teuchos::null)) {
  setParameters(Teuchos::null);
}

Teuchos::RCP<OneApplication::Manager> OneApplication::clone() const {
  return Teuchos::rcp(new OneApplication(named_));
}

Teuchos::RCP<Teuchos::ParameterList const> OneApplication::getValidParameters() const {
  return M_->getValidParameters();
}

void OneApplication::setParameters(List const& list) {
  auto const own = list.is_null() ? Teuchos::parameterList() : Teuchos::parameterList(*list);
  own->setName(named_.name + " in a list of MueLu's");  // MueLu's copies have no name
  parameters::choose_precision(*own, named_.name, {});
  if (!named_.smoother.empty()) {
    check_smoother_list(named_, *own);
    set_single_level(named_, *own);
  }
  M_->setParameters(*own);
  parameters_ = own;
}

void OneApplication::setProblem(Teuchos::RCP<Problem> const& problem) {
  auto const A = Teuchos::rcp_dynamic_cast<tpetra::RowMatrix const>(
      problem.is_null() ? Teuchos::null : problem->getOperator());
  require<std::invalid_argument>(!A.is_null(), named_.name,
                                 ": the problem has no operator that is a Tpetra::RowMatrix.");
  M_->setMatrix(A);
  M_->compute();
  problem_ = problem;
}

void OneApplication::reset(Belos::ResetType type) {
  if ((type & Belos::Problem) && !problem_.is_null()) problem_->setProblem();
}

Belos::ReturnType OneApplication::solve() {
  require<std::logic_error>(!problem_.is_null() && problem_->isProblemSet(), named_.name,
                            ": no problem is set; call its setProblem(), then that of the solver manager.");
  M_->apply(*problem_->getInitResVec(), *problem_->getLHS(), Teuchos::NO_TRANS, 1.0, 1.0);
  return Belos::Unconverged;
}

std::string OneApplication::description() const {
  return "\"" + named_.name + "\": " + M_->description();
}

}  // namespace Tessera::belos

namespace Tessera {
namespace {

using Vectors = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;
using Factory = Belos::SolverFactory<double, Vectors, Operator>;

/// Accepts every name that begins with "Tessera ", except those of solvers: the error for a mistyped name
/// then comes from here, with the known names, instead of from MueLu.
class Smoothers final : public Belos::CustomSolverFactory<double, Vectors, Operator> {
 public:
  Teuchos::RCP<Belos::SolverManager<double, Vectors, Operator>> getSolver(
      std::string const& name, Teuchos::RCP<Teuchos::ParameterList> const& parameters) override {
    if (!isSupported(name)) return Teuchos::null;
    auto const* named = belos::find_named(name);
    parameters::require<core::InvalidInput>(named != nullptr, "MueLu's list asks for \"", name,
                                            "\", which Tessera does not have; there are ", all_names(),
                                            parameters::hint(name, supportedSolverNames()));
    auto const manager = Teuchos::rcp(new belos::OneApplication(*named));
    if (!parameters.is_null()) manager->setParameters(parameters);
    return manager;
  }
  int numSupportedSolvers() const override { return static_cast<int>(belos::named_preconditioners().size()); }
  std::vector<std::string> supportedSolverNames() const override {
    std::vector<std::string> names;
    for (auto const& named : belos::named_preconditioners()) names.push_back(named.name);
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
