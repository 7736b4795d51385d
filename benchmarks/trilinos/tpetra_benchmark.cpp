// tpetra_benchmark [--repeat N] [--muelu LIST] SIDE...
// A Laplacian of SIDE^3 rows that lies where Tpetra's node computes, solved to 1e-8 from x = 0 with b = A
// times random: Tessera's class under Belos' Pseudo Block CG and under TESSERA CG, an ArraysSolver, the
// levels alone on the same arrays (without checks, as setup_benchmark makes them), and MueLu with an XML
// list. Prints one JSON object a side: medians over N (7) in milliseconds, bytes between host and device,
// iterations. A setup does not contain the release of the one before.
#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Tpetra_Core.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "Tessera_BelosSolvers.hpp"
#include "Tessera_Factory.hpp"
#include "Tessera_KokkosArrays.hpp"
#include "Tessera_ReadXml.hpp"
#include "comm/from_local.hpp"
#include "core/array.hpp"
#include "core/device.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "ifpack2/user_data.hpp"
#include "multigrid/reported_levels.hpp"
#include "parameters/parse.hpp"
#include "settings/preconditioner.hpp"
#include "support/device_laplacian.hpp"
#include "tpetra/local_rows.hpp"
#include "tpetra/vectors.hpp"
#if defined(TESSERA_HAVE_MUELU)
#include <MueLu_CreateTpetraPreconditioner.hpp>
#endif

using namespace example;

namespace {

int repeats = 7;

/// Milliseconds of each call of work, and the bytes of the last one. prepare: before each, not measured.
nlohmann::json measured(
    int calls, std::function<void()> const& work, std::function<void()> const& prepare = [] {}) {
  std::vector<double> all;
  Tessera::core::TransferBytes bytes;
  for (int k = 0; k < calls; ++k) {
    prepare();
    Kokkos::fence();
    auto const before = Tessera::core::transferred_bytes();
    auto const start = std::chrono::steady_clock::now();
    work();
    Kokkos::fence();
    all.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    bytes = Tessera::core::transferred_bytes() - before;
  }
  double const first = all.front();
  std::sort(all.begin(), all.end());
  return {{"first", first}, {"median", all[all.size() / 2]}, {"bytes", bytes.to_device + bytes.to_host}};
}

nlohmann::json milliseconds(Tessera::core::PhaseTimes const& phases) {
  nlohmann::json all;
  for (auto const& [phase, seconds] : phases) all[phase] = seconds * 1000;
  return all;
}

/// Where Tpetra's node computes.
auto space_of_node() {
  if constexpr (Tessera::tpetra::vectors_on_device) {
    return Tessera::core::make_cuda(Tessera::tpetra::node_device());
  } else {
    return Tessera::Host{};
  }
}

struct Case {
  RCP<CrsMatrix> A;
  MultiVector b, x;
  nlohmann::json out;

  explicit Case(long long side)
      : A(device_laplacian(side, Tpetra::getDefaultComm())), b(A->getRangeMap(), 1), x(A->getDomainMap(), 1) {
    MultiVector random(A->getDomainMap(), 1);
    random.randomize();
    A->apply(random, b);
    out["rows"] = A->getGlobalNumRows();
    out["ranks"] = A->getComm()->getSize();
    out["product"] = measured(50, [&] { A->apply(random, b); });
    out["new_vector"] = measured(repeats, [&] { MultiVector another(A->getDomainMap(), 1); });
  }

  void solve(std::string const& solver_name, RCP<Operator const> const& M, nlohmann::json& to) {
    auto const list = Teuchos::parameterList();
    list->set("Convergence Tolerance", 1e-8).set("Maximum Iterations", 2000);
    auto const solver = Belos::SolverFactory<double, MultiVector, Operator>().create(solver_name, list);
    auto const problem = rcp(new Belos::LinearProblem<double, MultiVector, Operator>(
        A, Teuchos::rcpFromRef(x), Teuchos::rcpFromRef(b)));
    if (!M.is_null()) problem->setLeftPrec(M);
    auto const set = measured(repeats, [&] { problem->setProblem(); });
    solver->setProblem(problem);
    to = measured(
        repeats, [&] { solver->solve(); },
        [&] {
          x.putScalar(0);
          problem->setProblem();
        });
    to["set_problem"] = set["median"];
    to["iterations"] = solver->getNumIters();
    to["residual"] = relative_residual(*A, x, b);
  }

  void tessera() {
    Teuchos::ParameterList list;
    list.set("verbosity", "none");
    auto& to = out["classes"];
    RCP<Ifpack2::Preconditioner<double, int, long long>> M;
    auto const release = [&] { M = Teuchos::null; };
    auto const set_up = [&] {
      M = Tessera::Factory::create<CrsMatrix>("SA-AMG", A);
      M->setParameters(list);
      M->initialize();
      M->compute();
    };
    auto const phases = [&] {
      return milliseconds(
          Teuchos::rcp_dynamic_cast<Tessera::Details::Preconditioner>(M)->hierarchyReport()->phases);
    };
    to["setup"] = measured(repeats, set_up, release);
    to["setup_phases"] = phases();
    to["release"] = measured(repeats, release, set_up);
    set_up();
    to["initialize"] = measured(repeats, [&] { M->initialize(); });
    M->compute();
    to["refresh"] = measured(repeats + 1, [&] { M->compute(); });
    to["refresh_phases"] = phases();
    to["apply"] = measured(50, [&] { M->apply(b, x); });
    to["description"] = M->description();
    solve("Pseudo Block CG", M, to["belos_cg"]);
    solve("TESSERA CG", M, to["tessera_cg"]);
  }

  void arrays() {
    auto& to = out["arrays"];
    std::unique_ptr<Tessera::ArraysSolver> solver;
    to["setup"] = measured(
        repeats,
        [&] {
          Teuchos::ParameterList list;
          solver = std::make_unique<Tessera::ArraysSolver>(Tessera::arraysOf(*A), list);
        },
        [&] { solver.reset(); });
    to["refresh"] = measured(repeats + 1, [&] { solver->refresh(Tessera::arraysOf(*A).values); });
    int iterations = 0;
    to["solve"] = measured(repeats, [&] {
      x.putScalar(0);
      iterations = Tessera::solve(*solver, b, x).iterations;
    });
    to["solve"]["iterations"] = iterations;
    to["solve"]["residual"] = relative_residual(*A, x, b);
  }

  /// The setup and the refresh that a class and an ArraysSolver contain.
  void levels() {
    namespace ours = Tessera;
    auto const space = space_of_node();
    using Space = std::remove_const_t<decltype(space)>;
    auto const& map = *A->getRowMap();
    auto const own = static_cast<ours::Index>(ours::tpetra::local_size(map));
    ours::comm::Distribution const distribution(ours::tpetra::communicator(*A->getComm()), own);
    auto rows = ours::tpetra::local_rows(*A);
    rows.ghost_columns = ours::tpetra::columns_of_others(map, *A->getColMap(), distribution);
    auto const matrix = ours::comm::from_local(space, distribution, rows);
    auto const ids = [&] { return ours::ifpack2::node_ids(space, ours::tpetra::row_ids(map), 1); };
    auto const settings = ours::parameters::parse({});
    std::unique_ptr<ours::settings::Preconditioner<Space>> M;
    auto& to = out["levels"];
    to["setup"] = measured(
        repeats, [&] { M = ours::settings::make_preconditioner<Space>(space, matrix, ids, {}, settings); },
        [&] { M.reset(); });
    to["setup_phases"] = milliseconds(M->report()->phases);
    to["refresh"] = measured(repeats + 1, [&] { M->refresh(matrix); });
    to["refresh_phases"] = milliseconds(M->report()->phases);
  }

#if defined(TESSERA_HAVE_MUELU)
  void muelu(std::string const& file) {
    auto const list = *Tessera::readXml(file, *A->getComm());
    auto& to = out["muelu"];
    RCP<Operator> const matrix = A;
    RCP<Operator> M;
    to["setup"] = measured(repeats, [&] {
      auto parameters = list;
      M = MueLu::CreateTpetraPreconditioner(matrix, parameters);
    });
    to["apply"] = measured(10, [&] { M->apply(b, x); });
    solve("Pseudo Block CG", M, to["belos_cg"]);
  }
#endif
};

}  // namespace

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  Tessera::registerBelosSolvers();
  std::string muelu;
  bool const prints = Tpetra::getDefaultComm()->getRank() == 0;
  for (int k = 1; k < argc; ++k) {
    if (std::string(argv[k]) == "--repeat") {
      repeats = std::stoi(argv[++k]);
      continue;
    }
    if (std::string(argv[k]) == "--muelu") {
      muelu = argv[++k];
      continue;
    }
    Case one(std::stoll(argv[k]));
    auto const part = [&](char const* name, auto const& work) {
      try {
        work();
      } catch (std::exception const& error) {
        one.out["errors"][name] = error.what();
      }
    };
    part("tessera", [&] { one.tessera(); });
    part("arrays", [&] { one.arrays(); });
    part("levels", [&] { one.levels(); });
    part("none", [&] { one.solve("Pseudo Block CG", Teuchos::null, one.out["no_preconditioner"]); });
#if defined(TESSERA_HAVE_MUELU)
    if (!muelu.empty()) part("muelu", [&] { one.muelu(muelu); });
#endif
    if (prints) std::cout << one.out.dump(2) << std::endl;
  }
  return 0;
}
