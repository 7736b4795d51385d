#include "parameters/vocabulary.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "parameters/messages.hpp"

namespace Tessera::parameters {
namespace {

std::vector<Word> all_words() {
  std::vector<Word> all;
  auto const add = [&all](std::vector<Word> words, Library library) {
    for (auto& word : words) {
      word.library = library;
      all.push_back(std::move(word));
    }
  };
  add(muelu_words(), Library::muelu);
  add(ml_words(), Library::ml);
  add(ifpack2_words(), Library::ifpack2);
  return all;
}

}  // namespace

std::vector<Word> const& vocabulary() {
  static std::vector<Word> const all = all_words();
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

Word const* find_word(Library library, std::string const& name) {
  static auto const index = [] {
    std::map<std::pair<Library, std::string>, Word const*> found;
    for (auto const& word : vocabulary())
      for (auto const& one : word.names) found[{word.library, one}] = &word;
    return found;
  }();
  auto const found = index.find({library, name});
  return found == index.end() ? nullptr : found->second;
}

std::vector<std::string> words_of(Library library) {
  std::vector<std::string> all;
  for (auto const& word : vocabulary())
    if (word.library == library) all.insert(all.end(), word.names.begin(), word.names.end());
  return all;
}

std::string plain(Teuchos::ParameterEntry const& entry) {
  if (entry.isType<bool>()) return Teuchos::getValue<bool>(entry) ? "true" : "false";
  if (entry.isType<double>()) return core::message(Teuchos::getValue<double>(entry));
  if (entry.isType<std::string>()) return Teuchos::getValue<std::string>(entry);
  return entry.isList() ? "a sublist" : Teuchos::toString(entry.getAny(false));
}

Meaning meaning(Word const& word, Teuchos::ParameterEntry const& entry) {
  auto const value = plain(entry);
  auto const listed = std::find_if(word.values.begin(), word.values.end(), [&](Meaning const& one) {
    return one.value == "*" || equal_ignoring_case(one.value, value);
  });
  if (listed == word.values.end()) return {value, word.status, "", word.note, word.here};
  Meaning result = *listed;
  result.value = value;
  if (result.name.empty()) result.name = word.here;
  if (result.note.empty()) result.note = word.note;
  return result;
}

// The parameters of Ifpack2, which MueLu's sublists of smoothers have, too.
std::vector<Word> ifpack2_words() {
  using namespace rows;
  std::vector<Meaning> relaxations{{"Jacobi", same, "Jacobi", "", ""},
                                   {"L1-Jacobi", same, "L1-Jacobi", "", ""}};
  for (auto const* sequential :
       {"Gauss-Seidel", "Symmetric Gauss-Seidel", "MT Gauss-Seidel", "MT Symmetric Gauss-Seidel",
        "Two-stage Gauss-Seidel", "Two-stage Symmetric Gauss-Seidel"})
    relaxations.push_back({sequential, absent, "",
                           "take `smoother: type` = CHEBYSHEV, of degree 4 a symmetric sweep and 2 another",
                           ""});
  relaxations.push_back({"Richardson", absent, "Jacobi", "scaled by the diagonal", ""});
  std::vector<Meaning> fill;
  for (int k = 0; k < 20; ++k)
    fill.push_back(
        {std::to_string(k), renamed, std::to_string(k + 1), "the pattern of A is 0 there, 1 here", ""});
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
      {{"fact: iluk level-of-fill", "fact: level-of-fill"}, renamed, "fsai: pattern level", "", fill},
      {{"fact: drop tolerance"}, renamed, "fsai: postfilter tolerance", ""},
      {{"chebyshev: min eigenvalue"},
       idle,
       "",
       "the lower end is the largest eigenvalue over `chebyshev: ratio eigenvalue`"},
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
       idle,
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
       idle,
       "",
       "only with Gauss-Seidel and block relaxations"},
      {{"fact: ilut level-of-fill", "fact: ict level-of-fill", "fact: iluk level-of-overlap",
        "fact: iluk overalloc", "fact: absolute threshold", "fact: relative threshold", "fact: relax value",
        "fact: type", "fact: sparskit: lfil", "fact: sparskit: tol", "fact: sparskit: droptol",
        "fact: sparskit: permtol", "fact: sparskit: alph", "fact: sparskit: mbloc", "fact: sparskit: type",
        "trisolver: type", "trisolver: block size", "trisolver: reverse U", "parallel ILUT options"},
       idle,
       "",
       "of incomplete factorizations; a sparse inverse has `fsai: pattern level` and filters"},
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
       idle,
       "",
       "of Schwarz methods; a sparse inverse sees all ranks' rows"},
      {{"chebyshev: solve normal equations"},
       absent,
       "",
       "for symmetric positive definite systems only",
       off("false")},
      {{"Amesos2", "Amesos2 solver name", "amesos: solver type", "hypre: Solver", "hypre: Preconditioner",
        "hypre: SolveOrPrecondition", "hypre: Solver functions", "hypre: Preconditioner functions",
        "hypre: Dump", "hypre: SetPreconditioner", "hypre: NumFunctions", "Operators", "Coordinates"},
       idle,
       "",
       "of packages that are not behind this"}};
}

}  // namespace Tessera::parameters
