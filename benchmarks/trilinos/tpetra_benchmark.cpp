// tpetra_benchmark [--repeat N] [--muelu LIST] SIDE...
// A Laplacian of SIDE^3 rows that lies where Tpetra's node computes, solved to 1e-8 from x = 0 with b = A
// times random: Tessera's class under Belos' Pseudo Block CG and under TESSERA CG, an ArraysSolver,
// and MueLu with an XML list. Prints one JSON object a side: medians over N (7) in milliseconds, bytes
// between host and device, iterations.
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
#include "core/array.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "multigrid/reported_levels.hpp"
#include "support/device_laplacian.hpp"
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
    to["setup"] = measured(repeats, [&] {
      M = Teuchos::null;  // its memory first
      M = Tessera::Factory::create<CrsMatrix>("SA-AMG", A);
      M->setParameters(list);
      M->initialize();
      M->compute();
    });
    to["refresh"] = measured(repeats + 1, [&] { M->compute(); });
    to["apply"] = measured(50, [&] { M->apply(b, x); });
    to["description"] = M->description();
    auto const ours = Teuchos::rcp_dynamic_cast<Tessera::Details::Preconditioner>(M);
    for (auto const& [phase, seconds] : ours->hierarchyReport()->phases)
      to["refresh_phases"][phase] = seconds * 1000;
    solve("Pseudo Block CG", M, to["belos_cg"]);
    solve("TESSERA CG", M, to["tessera_cg"]);
  }

  void arrays() {
    auto& to = out["arrays"];
    std::unique_ptr<Tessera::ArraysSolver> solver;
    to["setup"] = measured(repeats, [&] {
      Teuchos::ParameterList list;
      solver.reset();
      solver = std::make_unique<Tessera::ArraysSolver>(Tessera::arraysOf(*A), list);
    });
    to["refresh"] = measured(repeats + 1, [&] { solver->refresh(Tessera::arraysOf(*A).values); });
    int iterations = 0;
    to["solve"] = measured(repeats, [&] {
      x.putScalar(0);
      iterations = Tessera::solve(*solver, b, x).iterations;
    });
    to["solve"]["iterations"] = iterations;
    to["solve"]["residual"] = relative_residual(*A, x, b);
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
    part("none", [&] { one.solve("Pseudo Block CG", Teuchos::null, one.out["no_preconditioner"]); });
#if defined(TESSERA_HAVE_MUELU)
    if (!muelu.empty()) part("muelu", [&] { one.muelu(muelu); });
#endif
    if (prints) std::cout << one.out.dump(2) << std::endl;
  }
  return 0;
}
