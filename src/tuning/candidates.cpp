#include "tuning/candidates.hpp"

#include "core/error.hpp"
#include "parameters/parse.hpp"
#include "parameters/read_xml.hpp"
#include "parameters/selection.hpp"
#include "tuning/ready_xml.hpp"

namespace Tessera::tuning {
namespace {

double constexpr many = 0.2;  ///< share of couplings from which on they decide what is tried first

Candidate candidate(std::string const& name, std::string const& backend, TuneOptions const& options) {
  char const* const text = ready_xml(name);
  TESSERA_VALIDATE(text != nullptr, "Tessera::tune: there is no ready list ", name);
  Candidate result{name, parameters::parse_xml(text, name)};
  auto const selection = parameters::selection(result.settings);
  auto& solver = *selection.solver_parameters;
  solver.set("Convergence Tolerance", options.tolerance);
  if (options.maxIterations > 0) solver.set("Maximum Iterations", options.maxIterations);
  auto& own = *selection.preconditioner_parameters;
  if (!backend.empty()) own.set("backend: type", backend);
  if (options.backends.size() > 1) result.name += ", backend: type = " + backend;
  if (options.equations > 1 && parameters::parse(own).algorithm != parameters::Algorithm::fsai)
    own.set("number of equations", options.equations);
  return result;
}

}  // namespace

Plan plan(TuneFacts const& facts) {
  if (facts.equations > 1 || facts.nullspace > 1)
    return {{"elasticity", "sa_amg", "robust", "sa_amg_anisotropic", "matching_amg", "sa_amg_fsai_smoother",
             "fsai"},
            "several unknowns a node or near-nullspace vectors, so lists that bear them come first"};
  if (facts.dominant >= 0.5)
    return {{"fsai", "sa_amg", "ua_amg_kcycle", "matching_amg", "robust", "sa_amg_anisotropic",
             "sa_amg_fsai_smoother"},
            "the diagonal dominates most rows, so a sparse inverse comes first"};
  if (facts.weak >= many || facts.positive >= many)
    return {
        {"sa_amg_anisotropic", "robust", "classical_amg", "matching_amg", "sa_amg", "ua_amg_kcycle",
         "sa_amg_fsai_smoother", "fsai", "matching_amg_bootstrap"},
        "many couplings are weak or positive, as with anisotropies and jumps, so lists that tell them apart "
        "come first"};
  return {{"sa_amg", "robust", "ua_amg_kcycle", "matching_amg", "sa_amg_anisotropic", "classical_amg", "fsai",
           "sa_amg_fsai_smoother", "matching_amg_bootstrap"},
          "few couplings are weak or positive, so the default comes first"};
}

std::vector<Candidate> candidates(std::vector<std::string> const& order, TuneOptions const& options) {
  auto backends = options.backends;
  if (backends.empty()) backends.emplace_back();
  std::vector<Candidate> all;
  for (auto const& name : order)
    for (auto const& backend : backends) all.push_back(candidate(name, backend, options));
  return all;
}

Teuchos::ParameterList& own_settings(Candidate const& candidate) {
  return *parameters::selection(candidate.settings).preconditioner_parameters;
}

}  // namespace Tessera::tuning
