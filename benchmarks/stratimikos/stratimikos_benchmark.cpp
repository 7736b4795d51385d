/// \file
/// Whole solves the way of an application that uses Stratimikos: setup, solve, another right-hand side, and
/// setup and solve again after the matrix has got new values.
///
///     stratimikos_benchmark --xml xml_params/sa_amg_whole.xml [--problem Laplace3D --n 101] [--backend cuda]
///                           [--repeat 5] [--json FILE]
///
/// Prints JSON. Each part has `seconds` and `transfer_seconds` as the solver tells them, apart from each
/// other, `wall_seconds` around the call, `processor_seconds` of rank 0 in it, which other work on the
/// machine does not lengthen, and the bytes that crossed between host and device; of seconds the least, the
/// median and the first of all repeats. Exit status 1 when a solve did not converge.
#include <CLI/CLI.hpp>
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_Core.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "Tessera_ReadXml.hpp"
#include "Tessera_StratimikosHelpers.hpp"
#include "gallery/problem.hpp"

namespace {

using Json = nlohmann::ordered_json;
using Status = Thyra::SolveStatus<double>;
using Operator = Tpetra::Operator<double, int, long long>;

struct Options {
  std::string xml, problem = "Laplace3D", backend, json;
  int n = 101, repeat = 5;
};

/// Seconds.
struct Took {
  double wall, processor;
};

Took timed(Teuchos::Comm<int> const& comm, std::function<void()> const& work) {
  comm.barrier();
  auto const processor = std::clock();
  auto const start = std::chrono::steady_clock::now();
  work();
  comm.barrier();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC};
}

/// What one kind of call came to in all repeats.
struct Part {
  std::vector<double> wall, processor, seconds, transfer;
  Json said = Json::object();  ///< of the last repeat

  /// prefix: "Setup " or none.
  void add(Took const& took, Status const& status, std::string const& prefix) {
    auto const& more = *status.extraParameters;
    wall.push_back(took.wall);
    processor.push_back(took.processor);
    seconds.push_back(more.get<double>(prefix.empty() ? "Solve Seconds" : "Setup Seconds"));
    transfer.push_back(more.get<double>(prefix + "Transfer Seconds"));
    said["to_device"] = more.get<long long>(prefix + "Bytes To Device");
    said["to_host"] = more.get<long long>(prefix + "Bytes To Host");
    if (!prefix.empty()) {
      said["what"] = more.get<std::string>("Setup");
    } else {
      said["iterations"] = more.get<int>("Iteration Count");
      said["status"] = more.get<std::string>("Status");
      said["relative_residual"] = more.get<double>("Relative Residual");
    }
  }

  static Json figures(std::vector<double> values) {
    double const first = values.front();
    std::sort(values.begin(), values.end());
    return {{"min", values.front()}, {"median", values[values.size() / 2]}, {"first", first}};
  }
  Json json() const {
    Json result = {{"wall_seconds", figures(wall)},
                   {"processor_seconds", figures(processor)},
                   {"seconds", figures(seconds)},
                   {"transfer_seconds", figures(transfer)}};
    result.update(said);
    return result;
  }
};

Options parsed(int argc, char** argv) {
  Options options;
  CLI::App app("Whole solves through Stratimikos");
  app.add_option("--xml", options.xml, "Stratimikos list")->required();
  app.add_option("--problem", options.problem, "of the gallery");
  app.add_option("--n", options.n, "points along an edge");
  app.add_option("--backend", options.backend, "above what the list says: auto, host, cuda");
  app.add_option("--repeat", options.repeat, "how often")->check(CLI::PositiveNumber);
  app.add_option("--json", options.json, "a file for what is printed");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  return options;
}

Tessera::gallery::Problem problem(Options const& options,
                                  Teuchos::RCP<Teuchos::Comm<int> const> const& comm) {
  double const n = options.n;
  Tessera::gallery::Options sizes{{"nx", n}, {"ny", n}};
  if (options.problem.find("3D") != std::string::npos) sizes["nz"] = n;
  return Tessera::gallery::make_problem(options.problem, sizes, comm);
}

/// New values on the same pattern.
void double_values(Tessera::tpetra::CrsMatrix& A) {
  A.resumeFill();
  A.scale(2.0);
  A.fillComplete();
}

int run(Options const& options) {
  auto const comm = Tpetra::getDefaultComm();
  auto const system = problem(options, comm);
  auto const& A = system.matrix;
  auto const x = Teuchos::rcp(new Tessera::tpetra::MultiVector(A->getDomainMap(), 1));
  auto const B = Thyra::createMultiVector<double, int, long long>(system.rhs),
             X = Thyra::createMultiVector<double, int, long long>(x);
  auto const op = Thyra::createConstLinearOp<double, int, long long>(Teuchos::RCP<Operator const>(A));

  auto const list = Tessera::readXml(options.xml, *comm);
  auto& own = list->sublist("Preconditioner Types").sublist("Tessera");
  own.set("verbosity", "none");
  if (system.equations > 1) own.set("number of equations", system.equations);
  if (!system.nullspace.is_null()) own.sublist("user data").set("Nullspace", system.nullspace);
  if (!options.backend.empty()) own.set("backend: type", options.backend);
  Stratimikos::DefaultLinearSolverBuilder builder;
  Stratimikos::enableTessera(builder);
  builder.setParameterList(list);
  auto const strategy = Thyra::createLinearSolveStrategy(builder);

  std::map<std::string, Part> parts;
  bool converged = true;
  Status last;
  std::vector<double> totals;
  for (int repeat = 0; repeat < options.repeat; ++repeat) {
    auto const solver = strategy->createOp();
    auto const initialized = [&] {
      return timed(*comm, [&] { Thyra::initializeOp<double>(*strategy, op, solver.ptr()); });
    };
    auto const solved = [&](char const* name) {
      x->putScalar(0.0);
      auto const took = timed(*comm, [&] { last = solver->solve(Thyra::NOTRANS, *B, X.ptr()); });
      converged = converged && last.solveStatus == Thyra::SOLVE_STATUS_CONVERGED;
      parts[name].add(took, last, "");
      return took;
    };
    auto const setup = initialized();
    totals.push_back(setup.wall + solved("solve").wall);
    parts["setup"].add(setup, last, "Setup ");
    solved("second_solve");
    for (auto const* name : {"first_refresh", "refresh"}) {
      Thyra::uninitializeOp(*strategy, solver.ptr());
      double_values(*A);
      auto const refresh = initialized();
      solved("solve_after_refresh");
      parts[name].add(refresh, last, "Setup ");
    }
  }

  Json json = {{"problem", options.problem},
               {"n", options.n},
               {"rows", A->getGlobalNumRows()},
               {"nonzeros", A->getGlobalNumEntries()},
               {"ranks", comm->getSize()},
               {"backend", last.extraParameters->get<std::string>("Backend")},
               {"solver", last.extraParameters->get<std::string>("Solver")},
               {"repeats", options.repeat},
               {"setup_and_solve_wall_seconds", Part::figures(totals)}};
  for (auto const* name :
       {"setup", "solve", "second_solve", "first_refresh", "refresh", "solve_after_refresh"})
    json[name] = parts.at(name).json();
  if (comm->getRank() == 0) {
    std::cout << json.dump(1) << std::endl;
    if (!options.json.empty()) std::ofstream(options.json) << json.dump(1) << "\n";
  }
  return converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const options = parsed(argc, argv);
  try {
    return run(options);
  } catch (std::exception const& error) {
    std::cerr << "stratimikos_benchmark: " << error.what() << std::endl;
    return 2;
  }
}
