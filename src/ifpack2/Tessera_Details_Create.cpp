#include "Tessera_Details_Create.hpp"

#include <tuple>

#include "Tessera_ClassicalAmg.hpp"
#include "Tessera_Fsai.hpp"
#include "Tessera_MatchingAggregation.hpp"
#include "Tessera_RootNodeAggregation.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "Tessera_UnsmoothedAggregation.hpp"
#include "parameters/method.hpp"
#include "parameters/parse.hpp"
#include "parameters/precision.hpp"

namespace Tessera::Details {
namespace {

/// The class of each method.
using Classes = std::tuple<SmoothedAggregation<>*, UnsmoothedAggregation<>*, MatchingAggregation<>*,
                           RootNodeAggregation<>*, ClassicalAmg<>*, Fsai<>*>;

using List = Teuchos::ParameterList;
using Pointer = Teuchos::RCP<Preconditioner>;
using Matrix = Teuchos::RCP<Preconditioner::row_matrix_type const>;

/// old where it is of the method's class, else a new one of that class.
Pointer of_class(parameters::Method const& method, Matrix const& A, Pointer const& old) {
  Pointer M;
  auto const take = [&](auto* type) {
    using Class = std::remove_pointer_t<decltype(type)>;
    if (method.name != Class::name) return;
    M = Teuchos::rcp_dynamic_cast<Class>(old);
    if (M.is_null()) M = Teuchos::rcp(new Class(A));
  };
  std::apply([&](auto*... types) { (take(types), ...); }, Classes());
  return M;
}

/// The list that this one is a sublist of; null where its pointer does not know.
Teuchos::RCP<List> above(Teuchos::RCP<List> const& list) {
  if (list.is_null()) return list;
  auto const parent = Teuchos::getOptionalEmbeddedObj<List, Teuchos::RCP<List>>(list);
  return parent.is_null() ? Teuchos::null : *parent;
}

/// A sublist that is there, else an empty list.
List part(List const& list, std::string const& name) {
  return list.isSublist(name) ? list.sublist(name) : List();
}

/// A string that is there, or the one that a validator of Teuchos has written an integer over (since Trilinos
/// 14): of its strings, the one that stands for that integer. Empty where there is none.
std::string word(List const& list, char const* name, char const* standard) {
  if (!list.isParameter(name)) return standard;
  if (list.isType<std::string>(name)) return list.get<std::string>(name);
  auto const& entry = list.getEntry(name);
  auto const validator = entry.validator();
  auto const strings = validator.is_null() ? Teuchos::null : validator->validStringValues();
  if (strings.is_null()) return "";
  for (auto const& string : *strings) {
    Teuchos::ParameterEntry written(string);
    validator->validateAndModify(name, list.name(), &written);
    if (written.getAny(false) == entry.getAny(false)) return string;
  }
  return "";
}

}  // namespace

Teuchos::RCP<List> aroundList(Teuchos::RCP<List> const& list) {
  return above(above(list));
}

List resolveSolverDefaults(Teuchos::RCP<List> const& list) {
  List own = *list;
  auto const all = aroundList(list);
  if (all.is_null() || !all->isSublist("Preconditioner Types")) return own;
  auto const linear = word(*all, "Linear Solver Type", "Belos");
  if (linear != "Belos" && linear != "Tessera") return own;
  auto const list_of_solver = part(part(*all, "Linear Solver Types"), linear);
  auto const standard = linear == "Belos" ? "Pseudo Block GMRES" /* Thyra's */ : "Pseudo Block CG";
  auto const solver = word(list_of_solver, "Solver Type", standard);
  parameters::choose_precision(own, solver, part(part(list_of_solver, "Solver Types"), solver));
  return own;
}

bool isOurs(std::string const& name) {
  return parameters::find_method(name) != nullptr;
}

std::string ourNames() {
  std::string all;
  for (auto const& method : parameters::methods())
    for (auto const& key : method.keys) all += (all.empty() ? "" : ", ") + key;
  return all;
}

Pointer create(std::string const& name, Matrix const& A) {
  auto const* method = parameters::find_method(name);
  return method == nullptr ? Teuchos::null : of_class(*method, A, Teuchos::null);
}

Pointer create(List const& list, Matrix const& A, Pointer const& old) {
  auto const M = of_class(parameters::method_of(list), A, old);
  M->setParameters(list);
  M->setMatrix(A);  // nothing where A is the same: compute() then refreshes
  return M;
}

}  // namespace Tessera::Details
