#include "Tessera_MueLuSmoothers.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosSolverFactory_Tpetra.hpp>
#include <algorithm>
#include <utility>

#include "belos/one_application.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "parameters/messages.hpp"
#include "parameters/method.hpp"
#include "parameters/selection.hpp"
#include "parameters/table.hpp"
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

std::vector<Part> all_parts() {
  std::vector<Part> all;
  auto const add = [&all](std::string const& word, std::string const& factory, std::string const& smoother) {
    auto const name = "Tessera " + word;
    bool const there = find(all, [&](Part const& one) { return one.name == name; }) != nullptr;
    if (word != "TESSERA" && !there) all.push_back({name, factory, smoother});
  };
  auto const* type = find(parameters::table(), [](auto const& row) { return row.name == "smoother: type"; });
  for (auto const& choice : type->choices) add(choice, parameters::methods().front().keys.front(), choice);
  for (auto const& method : parameters::methods())
    for (auto const& key : method.keys) add(key, key, "");
  return all;
}

/// Whether a parameter has an effect on a smoother that is alone.
bool concerns_smoothers(parameters::Parameter const& row) {
  return row.sublist == smoother_sublist || row.section == "Formats, precision and back end" ||
         row.name == "verbosity" || row.name == "timer for apply" || row.name == "tessera: strict";
}

/// Refuses what is there for levels. Names that nobody knows are left to setParameters().
void check_smoother_list(Part const& part, Teuchos::ParameterList const& list) {
  for (auto const& item : list) {
    auto const& name = item.first;
    auto const named = [&name](auto const& one) { return one.name == name; };
    auto const* row = find(parameters::table(), [&](parameters::Parameter const& one) {
      return named(one) || find(one.aliases, named) != nullptr;
    });
    bool const misplaced = item.second.isList() ? name != smoother_sublist : row && !concerns_smoothers(*row);
    require<core::InvalidInput>(
        !misplaced, list.name(), " -> \"", name, "\": has no effect (", part.name,
        " is one smoother, without levels); leave it out, or take \"Tessera SA-AMG\"");
  }
}

/// The list that makes a hierarchy of one level of a smoother's.
void be_one_smoother(Part const& part, Teuchos::ParameterList& list) {
  list.set("multigrid algorithm", "sa");
  list.set("max levels", 1);
  list.set("coarse: type", "smoother");
  list.set("coarse: sweeps", 1);
  list.set("smoother: type", part.smoother);
}

}  // namespace

std::vector<Part> const& parts() {
  static std::vector<Part> const all = all_parts();
  return all;
}

Part const* find_part(std::string const& name) {
  auto const upper = parameters::upper_case(name);
  return find(parts(), [&](Part const& one) { return parameters::upper_case(one.name) == upper; });
}

OneApplication::OneApplication(Part part)
    : part_(std::move(part)), M_(Details::create(part_.factory, Teuchos::null)) {
  setParameters(Teuchos::null);
}

Teuchos::RCP<OneApplication::Manager> OneApplication::clone() const {
  return Teuchos::rcp(new OneApplication(part_));
}

Teuchos::RCP<Teuchos::ParameterList const> OneApplication::getValidParameters() const {
  return M_->getValidParameters();
}

void OneApplication::setParameters(List const& list) {
  auto const own = list.is_null() ? Teuchos::parameterList() : Teuchos::parameterList(*list);
  own->setName(part_.name + " in a list of MueLu's");  // MueLu's copies have none
  parameters::choose_precision(*own, part_.name, {});
  if (!part_.smoother.empty()) {
    check_smoother_list(part_, *own);
    be_one_smoother(part_, *own);
  }
  M_->setParameters(*own);
  parameters_ = own;
}

void OneApplication::setProblem(Teuchos::RCP<Problem> const& problem) {
  auto const A = Teuchos::rcp_dynamic_cast<tpetra::RowMatrix const>(
      problem.is_null() ? Teuchos::null : problem->getOperator());
  require<std::invalid_argument>(!A.is_null(), part_.name,
                                 ": the problem has no operator that is a Tpetra::RowMatrix.");
  M_->setMatrix(A);
  M_->compute();
  problem_ = problem;
}

void OneApplication::reset(Belos::ResetType type) {
  if ((type & Belos::Problem) && !problem_.is_null()) problem_->setProblem();
}

Belos::ReturnType OneApplication::solve() {
  require<std::logic_error>(!problem_.is_null() && problem_->isProblemSet(), part_.name,
                            ": no problem is set; call its setProblem(), then that of the solver manager.");
  M_->apply(*problem_->getInitResVec(), *problem_->getLHS(), Teuchos::NO_TRANS, 1.0, 1.0);
  return Belos::Unconverged;
}

std::string OneApplication::description() const {
  return "\"" + part_.name + "\": " + M_->description();
}

}  // namespace Tessera::belos

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
