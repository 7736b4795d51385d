#include "Tessera_CreateTpetraPreconditioner.hpp"

#include <tuple>

#include "Tessera_ClassicalAmg.hpp"
#include "Tessera_Fsai.hpp"
#include "Tessera_MatchingAggregation.hpp"
#include "Tessera_ReadXml.hpp"
#include "Tessera_RootNodeAggregation.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "Tessera_UnsmoothedAggregation.hpp"
#include "core/error.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "settings/settings.hpp"

namespace Tessera {
namespace Details {
namespace {

/// The class of each method.
using Classes = std::tuple<SmoothedAggregation<>*, UnsmoothedAggregation<>*, MatchingAggregation<>*,
                           RootNodeAggregation<>*, ClassicalAmg<>*, Fsai<>*>;

using List = Teuchos::ParameterList;
using Pointer = Teuchos::RCP<Preconditioner>;
using Matrix = Teuchos::RCP<Preconditioner::row_matrix_type const>;

/// Returns old if it is of the method's class, else a new preconditioner of that class.
Pointer of_class(settings::Method const& method, Matrix const& A, Pointer const& old) {
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

/// The list that contains this one; null if the pointer does not refer to it.
Teuchos::RCP<List> outer_list(Teuchos::RCP<List> const& list) {
  if (list.is_null()) return list;
  auto const parent = Teuchos::getOptionalEmbeddedObj<List, Teuchos::RCP<List>>(list);
  return parent.is_null() ? Teuchos::null : *parent;
}

/// The sublist if it exists, else an empty list.
List sublist_or_empty(List const& list, std::string const& name) {
  return list.isSublist(name) ? list.sublist(name) : List();
}

/// A string parameter. Since Trilinos 14 a validator of Teuchos may have replaced the string by an integer;
/// then the string of that integer. Empty if there is none. standard: if the parameter does not exist.
std::string string_parameter(List const& list, char const* name, char const* standard) {
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
  return outer_list(outer_list(list));
}

List resolveSolverDefaults(Teuchos::RCP<List> const& list) {
  List own = *list;
  auto const all = aroundList(list);
  if (all.is_null() || !all->isSublist("Preconditioner Types")) return own;
  auto const linear = string_parameter(*all, "Linear Solver Type", "Belos");
  if (linear != "Belos" && linear != "Tessera") return own;
  auto const list_of_solver = sublist_or_empty(sublist_or_empty(*all, "Linear Solver Types"), linear);
  auto const standard = linear == "Belos" ? "Pseudo Block GMRES" /* Thyra's */ : "Pseudo Block CG";
  auto const solver = string_parameter(list_of_solver, "Solver Type", standard);
  parameters::choose_precision(own, solver,
                               sublist_or_empty(sublist_or_empty(list_of_solver, "Solver Types"), solver));
  return own;
}

bool isOurs(std::string const& name) {
  return settings::find_method(name) != nullptr;
}

std::string ourNames() {
  std::string all;
  for (auto const& method : settings::methods())
    for (auto const& key : method.keys) all += (all.empty() ? "" : ", ") + key;
  return all;
}

Pointer create(std::string const& name, Matrix const& A) {
  auto const* method = settings::find_method(name);
  return method == nullptr ? Teuchos::null : of_class(*method, A, Teuchos::null);
}

Pointer create(List const& list, Matrix const& A, Pointer const& old) {
  auto const M = of_class(parameters::method_of(list), A, old);
  M->setParameters(list);
  M->setMatrix(A);  // no effect if A is the same: compute() then refreshes
  return M;
}

}  // namespace Details

namespace {

using Operator = Teuchos::RCP<Tpetra::Operator<> const>;
using Vectors = Teuchos::RCP<Tpetra::MultiVector<> const>;
using Matrix = Details::Preconditioner::row_matrix_type;

Teuchos::RCP<Matrix const> matrix_of(char const* caller, Operator const& A) {
  auto const matrix = Teuchos::rcp_dynamic_cast<Matrix const>(A);
  TESSERA_VALIDATE(!matrix.is_null(), "Tessera::", caller, ": ",
                   A.is_null() ? "A is null" : "A is an operator without rows that could be read",
                   " (a preconditioner is made of a matrix): give a Tpetra::RowMatrix, such as a CrsMatrix");
  return matrix;
}

Teuchos::RCP<Details::Preconditioner> created(Teuchos::RCP<Matrix const> const& A,
                                              Teuchos::ParameterList const& list, Vectors const& coordinates,
                                              Vectors const& nullspace) {
  auto const M = Details::create(list, A);
  if (!coordinates.is_null()) M->setCoordinates(coordinates);
  if (!nullspace.is_null()) M->setNearNullspace(nullspace);
  M->compute();
  return M;
}

}  // namespace

Teuchos::RCP<Details::Preconditioner> createTpetraPreconditioner(Operator const& A,
                                                                 Teuchos::ParameterList const& list,
                                                                 Vectors const& coordinates,
                                                                 Vectors const& nullspace) {
  return created(matrix_of("createTpetraPreconditioner", A), list, coordinates, nullspace);
}

Teuchos::RCP<Details::Preconditioner> createTpetraPreconditioner(Operator const& A,
                                                                 std::string const& xml_file,
                                                                 Vectors const& coordinates,
                                                                 Vectors const& nullspace) {
  auto const matrix = matrix_of("createTpetraPreconditioner", A);
  return created(matrix, *readXml(xml_file, *matrix->getComm()), coordinates, nullspace);
}

void reuseTpetraPreconditioner(Operator const& A, Details::Preconditioner& M) {
  M.setMatrix(matrix_of("reuseTpetraPreconditioner", A));
  M.compute();
}

}  // namespace Tessera
