// Smoothed aggregation by a list, once with greedy aggregates as Bell, Dalton, Olson 2012 have them on a CPU
// and once with the library's own: greedy_benchmark LIST.xml PROBLEM [--OPTION NUMBER]... on one rank. Random
// right-hand side, to a true relative residual of 1e-12. JSON on the output, for benchmarks/papers.py.
#include <Tpetra_Core.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "gallery/problem.hpp"
#include "papers/greedy_hierarchy.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "parameters/xml.hpp"
#include "tpetra/import_matrix.hpp"

namespace {

using namespace Tessera;

void run(std::string const& file, std::string const& name, gallery::Options const& options) {
  auto const comm = ::Tpetra::getDefaultComm();
  auto const list = readXml(file, *comm);
  auto const parameters = parameters::parse(*parameters::selection(list).preconditioner_parameters).multigrid;
  auto const problem = gallery::make_problem(name, options, comm);
  auto const A = tpetra::import_matrix(*problem.matrix);
  auto const rhs = gallery::make_rhs(gallery::RhsKind::random, *problem.matrix, problem.kernel);
  auto const b = rhs->getData(0);
  papers::HierarchyOf M(papers::Aggregates::greedy, A.A, parameters);
  auto const result = papers::solve(M, A.A, {b.getRawPtr(), static_cast<std::size_t>(b.size())});
  nlohmann::ordered_json const solve{{"problem", name},
                                     {"rows", A.A.local.rows},
                                     {"ranks", 1},
                                     {"iterations", result.iterations},
                                     {"converged", result.converged},
                                     {"status", krylov::name(result.stop)},
                                     {"relative_residual", result.relative_residual},
                                     {"operator_complexity", M.operator_complexity()},
                                     {"levels", M.rows()}};
  std::cout << solve.dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  ::Tpetra::ScopeGuard const guard(&argc, &argv);
  if (argc < 3 || argc % 2 == 0) {
    std::fprintf(stderr, "greedy_benchmark LIST.xml PROBLEM [--OPTION NUMBER]...\n");
    return 2;
  }
  try {
    gallery::Options options;
    for (int k = 3; k < argc; k += 2)
      options[std::string(argv[k]).substr(2)] = std::strtod(argv[k + 1], nullptr);
    run(argv[1], argv[2], options);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
