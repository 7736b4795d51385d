// Memory that runs out on one rank beneath Tpetra: arrays of Tessera's only, since Trilinos does not tell
// other ranks what became of its own.
#include <gtest/gtest.h>

#include "Tessera_Fsai.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "problems.hpp"
#include "support/failing_allocations.hpp"
#include "tpetra/types.hpp"

namespace Tessera::test {
namespace {

/// initialize(), compute(), compute() with new values.
template <class Method>
int failures_of(char const* algorithm, std::vector<std::string> where) {
  auto const A = laplacian(scattered_map(144), 12);
  Teuchos::ParameterList list("Tessera");
  list.set("multigrid algorithm", algorithm);
  if (algorithm == std::string("sa")) list.set("coarse: max size", 20);
  list.set("verbosity", "none");
  list.set("backend: type", "host");
  where.push_back("import of the matrix, level 0");
  auto const comm = tpetra::communicator(*world());
  return expect_every_failure_on_every_rank(Arrays<Host>{}, comm, where, [&] {
    Method M(A);
    M.setParameters(list);
    M.initialize();
    M.compute();
    M.compute();
  });
}

TEST(Failures, AnArrayThatOneRankCannotHaveIsSaidOnAll) {
  EXPECT_GT(failures_of<SmoothedAggregation<>>("sa", {"setup, level ", "refresh: "}), 2 * world()->getSize());
  EXPECT_GT(failures_of<Fsai<>>("fsai", {"FSAI setup: ", "FSAI refresh: "}), 2 * world()->getSize());
}

}  // namespace
}  // namespace Tessera::test
