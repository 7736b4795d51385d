#include "belos/solver_checks.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

TEST(SolversGpu, EveryManagerSolves) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  every_manager_solves("cuda");
}

TEST(SolversGpu, OurCgTakesAsManyIterationsAsBelos) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  our_cg_takes_as_many_iterations_as_belos("cuda");
}

TEST(SolversGpu, OperatorsOfTheUserPrecondition) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  operators_of_the_user_precondition("cuda");
}

TEST(SolversGpu, OurManagersTakeTpetraVectors) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  our_managers_take_tpetra_vectors("cuda");
}

TEST(SolversGpu, OneCallSolves) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  one_call_solves("cuda");
}

}  // namespace
}  // namespace Tessera::test
