#include "parameters/vocabulary.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "parameters/messages.hpp"

namespace Tessera::parameters {
namespace {

std::vector<ForeignParameter> all_parameters() {
  std::vector<ForeignParameter> all;
  auto const add = [&all](std::vector<ForeignParameter> group, Library library) {
    for (auto& row : group) {
      row.library = library;
      all.push_back(std::move(row));
    }
  };
  add(muelu_parameters(), Library::muelu);
  add(ml_parameters(), Library::ml);
  add(ifpack2_parameters(), Library::ifpack2);
  return all;
}

}  // namespace

std::vector<ForeignParameter> const& vocabulary() {
  static std::vector<ForeignParameter> const all = all_parameters();
  return all;
}

std::vector<Library> const& libraries() {
  static std::vector<Library> const all{Library::muelu, Library::ml, Library::ifpack2};
  return all;
}

std::string const& name_of(Library library) {
  static std::vector<std::string> const names{"MueLu", "ML", "Ifpack2"};
  return names[static_cast<std::size_t>(library)];
}

ForeignParameter const* find_foreign(Library library, std::string const& name) {
  static auto const index = [] {
    std::map<std::pair<Library, std::string>, ForeignParameter const*> found;
    for (auto const& row : vocabulary())
      for (auto const& one : row.names) found[{row.library, one}] = &row;
    return found;
  }();
  auto const found = index.find({library, name});
  return found == index.end() ? nullptr : found->second;
}

std::vector<std::string> foreign_names(Library library) {
  std::vector<std::string> all;
  for (auto const& row : vocabulary())
    if (row.library == library) all.insert(all.end(), row.names.begin(), row.names.end());
  return all;
}

std::string plain(Teuchos::ParameterEntry const& entry) {
  if (entry.isType<bool>()) return Teuchos::getValue<bool>(entry) ? "true" : "false";
  if (entry.isType<double>()) return core::message(Teuchos::getValue<double>(entry));
  if (entry.isType<std::string>()) return Teuchos::getValue<std::string>(entry);
  return entry.isList() ? "a sublist" : Teuchos::toString(entry.getAny(false));
}

ValueTranslation translated_value(ForeignParameter const& row, Teuchos::ParameterEntry const& entry) {
  auto const value = plain(entry);
  auto const listed = std::find_if(row.values.begin(), row.values.end(), [&](ValueTranslation const& one) {
    return one.value == "*" || equal_ignoring_case(one.value, value);
  });
  if (listed == row.values.end()) return {value, row.status, "", row.note, row.ours};
  ValueTranslation result = *listed;
  result.value = value;
  if (result.name.empty()) result.name = row.ours;
  if (result.note.empty()) result.note = row.note;
  return result;
}

// The parameters of Ifpack2, which MueLu's sublists of smoothers have, too.
std::vector<ForeignParameter> ifpack2_parameters() {
  using namespace rows;
  std::vector<ValueTranslation> relaxations{{"Jacobi", same, "Jacobi", "", ""},
                                            {"L1-Jacobi", same, "L1-Jacobi", "", ""}};
  for (auto const* sequential :
       {"Gauss-Seidel", "Symmetric Gauss-Seidel", "MT Gauss-Seidel", "MT Symmetric Gauss-Seidel",
        "Two-stage Gauss-Seidel", "Two-stage Symmetric Gauss-Seidel"})
    relaxations.push_back(
        {sequential, no_counterpart, "",
         "take `smoother: type` = CHEBYSHEV, of degree 4 for a symmetric sweep and 2 for another", ""});
  relaxations.push_back({"Richardson", no_counterpart, "Jacobi", "scaled by the diagonal", ""});
  std::vector<ValueTranslation> fill;
  for (int k = 0; k < 20; ++k) fill.push_back({std::to_string(k), renamed, std::to_string(k + 1), "", ""});
  return {
      {{"relaxation: type"}, same, "", "", relaxations},
      {{"relaxation: sweeps", "relaxation: damping factor", "relaxation: use l1", "chebyshev: degree",
        "chebyshev: boost factor", "chebyshev: eigenvalue max iterations", "timer for apply"},
       same,
       "",
       ""},
      {{"chebyshev: ratio eigenvalue"}, same, "", "with `chebyshev: algorithm` = first"},
      {{"chebyshev: max eigenvalue"}, same, "", "of the finest level"},
      {{"chebyshev: algorithm"}, same, "", "", {{"textbook", renamed, "first", "", ""}}},
      {{"chebyshev: textbook algorithm"},
       renamed,
       "",
       "",
       {{"*", renamed, "first", "", "chebyshev: algorithm"}}},
      {{"fact: iluk level-of-fill", "fact: level-of-fill"},
       renamed,
       "fsai: pattern level",
       "the pattern of A is level 0 there, level 1 in Tessera",
       fill},
      {{"fact: drop tolerance"}, renamed, "fsai: postfilter tolerance", ""},
      {{"chebyshev: min eigenvalue"},
       no_effect,
       "",
       "the lower end is the largest eigenvalue divided by `chebyshev: ratio eigenvalue`"},
      {{"chebyshev: zero starting solution",
        "relaxation: zero starting solution",
        "schwarz: zero starting solution",
        "chebyshev: assume matrix does not change",
        "chebyshev: eigenvalue relative tolerance",
        "chebyshev: eigenvalue keep vector",
        "chebyshev: eigenvalue keep vectors",
        "chebyshev: eigenvalue normalization frequency",
        "chebyshev: compute max residual norm",
        "chebyshev: min diagonal value",
        "chebyshev: use block mode",
        "chebyshev: compute spectral radius",
        "chebyshev: debug",
        "debug",
        "chebyshev: use native spmv",
        "chebyshev: use rowsumabs diagonal scaling",
        "chebyshev: rowsumabs diagonal replacement tolerance",
        "chebyshev: rowsumabs diagonal replacement value",
        "relaxation: min diagonal value",
        "relaxation: fix tiny diagonal entries",
        "relaxation: check diagonal entries",
        "relaxation: symmetric matrix structure",
        "relaxation: ifpack2 dump matrix",
        "relaxation: long row threshold"},
       no_effect,
       "",
       "Tessera chooses how to compute it; diagonals must be positive"},
      {{"relaxation: backward mode",
        "relaxation: direction",
        "relaxation: l1 eta",
        "relaxation: mtgs cluster size",
        "relaxation: mtgs coloring algorithm",
        "relaxation: inner damping factor",
        "relaxation: inner sweeps",
        "relaxation: inner sparse-triangular solve",
        "relaxation: outer sweeps",
        "relaxation: compact form",
        "relaxation: local smoothing indices",
        "relaxation: container",
        "relaxation: banded container superdiagonals",
        "relaxation: banded container subdiagonals",
        "block relaxation: decouple dofs",
        "partitioner: type",
        "partitioner: local parts",
        "partitioner: parts",
        "partitioner: map",
        "partitioner: overlap",
        "partitioner: overlap level",
        "partitioner: print level",
        "partitioner: maintain sparsity",
        "partitioner: use symmetric graph",
        "partitioner: line detection threshold",
        "partitioner: PDE equations",
        "partitioner: coordinates"},
       no_effect,
       "",
       "only with Gauss-Seidel and block relaxations"},
      {{"fact: ilut level-of-fill", "fact: ict level-of-fill", "fact: iluk level-of-overlap",
        "fact: iluk overalloc", "fact: absolute threshold", "fact: relative threshold", "fact: relax value",
        "fact: type", "fact: sparskit: lfil", "fact: sparskit: tol", "fact: sparskit: droptol",
        "fact: sparskit: permtol", "fact: sparskit: alph", "fact: sparskit: mbloc", "fact: sparskit: type",
        "trisolver: type", "trisolver: block size", "trisolver: reverse U", "parallel ILUT options"},
       no_effect,
       "",
       "for incomplete factorizations; a sparse inverse has `fsai: pattern level` and filters"},
      {{"schwarz: overlap level",
        "schwarz: combine mode",
        "schwarz: use reordering",
        "schwarz: filter singletons",
        "schwarz: compute condest",
        "schwarz: reordering list",
        "schwarz: num iterations",
        "schwarz: update damping",
        "schwarz: inner preconditioner name",
        "schwarz: inner preconditioner parameters",
        "schwarz: subdomain solver name",
        "schwarz: subdomain solver parameters",
        "inner preconditioner name",
        "inner preconditioner parameters",
        "subdomain solver name",
        "subdomain solver parameters",
        "order_method",
        "order_method_type",
        "inner solver name",
        "schwarz: inner solver name",
        "zoltan2: algorithm"},
       no_effect,
       "",
       "for Schwarz methods; a sparse inverse uses the rows of all ranks"},
      {{"chebyshev: solve normal equations"},
       no_counterpart,
       "",
       "for symmetric positive definite systems only",
       off("false")},
      {{"Amesos2", "Amesos2 solver name", "amesos: solver type", "hypre: Solver", "hypre: Preconditioner",
        "hypre: SolveOrPrecondition", "hypre: Solver functions", "hypre: Preconditioner functions",
        "hypre: Dump", "hypre: SetPreconditioner", "hypre: NumFunctions", "Operators", "Coordinates"},
       no_effect,
       "",
       "for packages that Tessera does not use"}};
}

}  // namespace Tessera::parameters
