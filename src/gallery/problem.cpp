#include "gallery/problem.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "gallery/makers.hpp"
#include "parameters/suggestion.hpp"
#include "tpetra/compatibility.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::gallery {

namespace {

std::string joined(std::vector<std::string> const& names, char const* before) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "" : ", ") + (before + name);
  return text;
}

Entry const& find(std::string const& name) {
  std::vector<std::string> names;
  for (auto const& entry : catalogue()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw core::InvalidInput(core::message("\"", name, "\" is not a problem of the gallery",
                                         parameters::hint(name, names), " (problems: ", joined(names, ""),
                                         ")"));
}

void check(std::string const& problem, Parameter const& parameter, double value) {
  using Kind = Parameter::Kind;
  auto const require = [&](bool fulfilled, char const* wanted) {
    TESSERA_VALIDATE(fulfilled, "problem ", problem, ": --", parameter.name, " ", value, " is not ", wanted,
                     " (", parameter.meaning, ")");
  };
  bool const finite = std::isfinite(value), whole = finite && value == std::trunc(value);
  switch (parameter.kind) {
    case Kind::count:
      return require(whole && 1 <= value && value <= 2147483647, "a whole number from 1 to 2^31 - 1");
    case Kind::refinements:
      return require(whole && 0 <= value && value <= 12, "a whole number from 0 to 12");
    case Kind::seed:
      return require(whole && 0 <= value && value <= 9007199254740992, "a whole number from 0 to 2^53");
    case Kind::positive:
      return require(finite && value > 0, "a positive number");
    case Kind::non_negative:
      return require(finite && value >= 0, "a number of at least 0");
    case Kind::below_half:
      return require(finite && 0 <= value && value < 0.5, "a number from 0 to below 0.5");
    case Kind::below_sixth:
      return require(finite && 0 <= value && 6 * value < 1, "a number from 0 to below 1/6");
    case Kind::real:
      return require(finite, "a finite number");
  }
}

Options completed(Entry const& entry, Options const& given) {
  Options complete;
  std::vector<std::string> known;
  for (auto const& parameter : entry.parameters) {
    complete[parameter.name] = parameter.standard;
    known.push_back(parameter.name);
  }
  for (auto const& [name, value] : given) {
    TESSERA_VALIDATE(complete.count(name) == 1, "problem ", entry.name, " has no option --", name,
                     parameters::hint(name, known), " (options: ", joined(known, "--"), ")");
    complete[name] = value;
  }
  for (auto const& parameter : entry.parameters) check(entry.name, parameter, complete[parameter.name]);
  return complete;
}

}  // namespace

Problem make_problem(std::string const& name, Options const& options, CommPtr const& comm) {
  auto const& entry = find(name);
  auto problem = entry.make(completed(entry, options), comm);
  problem.name = name;
  problem.rhs = make_rhs(RhsKind::ones, *problem.matrix, problem.kernel);
  return problem;
}

RhsKind parse_rhs_kind(std::string const& name) {
  if (name == "ones") return RhsKind::ones;
  if (name == "random") return RhsKind::random;
  if (name == "consistent") return RhsKind::consistent;
  std::vector<std::string> const known{"ones", "random", "consistent"};
  throw core::InvalidInput(core::message("\"", name, "\" is not a kind of right-hand side",
                                         parameters::hint(name, known), " (kinds: ", joined(known, ""), ")"));
}

Teuchos::RCP<tpetra::MultiVector> make_rhs(RhsKind kind, tpetra::CrsMatrix const& A, Kernel kernel,
                                           int columns) {
  auto const map = A.getRowMap();
  auto const rhs = Teuchos::rcp(new tpetra::MultiVector(map, columns, false));
  {
    auto const ids = tpetra::local_elements(*map);
    auto const last = map->getMaxAllGlobalIndex();
    tpetra::WriteColumns const b(*rhs, tpetra::Before::forgotten);
    for (std::size_t k = 0; k < b.size() * b[0].size(); ++k) {
      auto const c = k / b[0].size(), i = k % b[0].size();
      bool const mirrored = kernel == Kernel::constants && 2 * ids[i] > last;
      bool const middle = kernel == Kernel::constants && 2 * ids[i] == last;
      bool const random = kind == RhsKind::random || c > 0;
      double const value = random ? core::uniform(mirrored ? last - ids[i] : ids[i], c) : 1;
      b[c][i] = middle ? 0 : mirrored ? -value : value;
    }
  }
  if (kind == RhsKind::consistent) {
    tpetra::MultiVector const x(*rhs, Teuchos::Copy);
    A.apply(x, *rhs);
  }
  return rhs;
}

}  // namespace Tessera::gallery
