#include "belos/solver_checks.hpp"
#include "core/array.hpp"
#include "core/memory.hpp"
#include "support/device.hpp"
#include "tpetra/vectors.hpp"

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

TEST(SolversGpu, VectorsOfOtherRowsAreRefused) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  vectors_of_other_rows_are_refused("cuda");
}

TEST(SolversGpu, RightHandSidesBeyondFloatTakeTheSameIterations) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  right_hand_sides_beyond_float_take_the_same_iterations("cuda");
}

TEST(SolversGpu, ConjugateGradientsAreFlexibleWithAKCycle) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  conjugate_gradients_are_flexible_with_a_k_cycle("cuda");
}

TEST(SolversGpu, ASystemMayHaveAnotherMatrixThanItsPreconditioner) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  a_system_may_have_another_matrix_than_its_preconditioner("cuda");
}

TEST(SolversGpu, OneCallSolves) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  one_call_solves("cuda");
}

TEST(SolversGpu, OneCallChoosesThePrecisionThatTheSolverNeeds) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  one_call_chooses_the_precision_that_the_solver_wants("cuda");
}

TEST(SolversGpu, TheMatrixIsStoredOnce) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  System const parts("cuda");
  auto const before = core::memory_use(Cuda{}).in_use;
  ResidentSystem const system(parts.M);
  auto const values = parts.A->getGlobalNumEntries() / world()->getSize() * sizeof(double);
  EXPECT_LT(core::memory_use(Cuda{}).in_use - before, values) << "what ranks exchange, at most";
  auto const solved =
      solve_resident(*parts.A, system, system.preconditioner(), "TESSERA CG", 1, solver_list());
  EXPECT_EQ(solved.result, Belos::Converged);
}

// Conjugate gradients use the vectors of a hierarchy in single precision.
TEST(SolversGpu, AHierarchyInSinglePrecisionSolvesInAsManyIterations) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  System parts("cuda");
  int iterations[2];
  for (bool const single : {false, true}) {
    Teuchos::ParameterList list;
    list.set("backend: type", "cuda");
    list.set("coarse: max size", 100);
    list.set("precision: hierarchy", single ? "float" : "double");
    parts.M->setParameters(list);
    parts.M->compute();
    ResidentSystem const system(parts.M);
    auto const solved =
        solve_resident(*parts.A, system, system.preconditioner(), "TESSERA CG", 1, solver_list());
    EXPECT_EQ(solved.result, Belos::Converged);
    EXPECT_LE(solved.residuals[0], 1e-8);
    iterations[single ? 1 : 0] = solved.iterations;
  }
  EXPECT_LE(iterations[1], iterations[0] + 1);
}

// Tpetra's vectors lie in the GPU's memory if Trilinos is built with CUDA.
TEST(SolversGpu, VectorsOnTheDeviceStayThere) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  if (!tpetra::vectors_on_device) GTEST_SKIP() << "this Trilinos has its vectors on the host";
  registerBelosSolvers();
  System const s("cuda");
  auto const b = waves(s.A->getRowMap(), 2), x = rcp(new MultiVector(s.A->getRowMap(), 2));
  auto const manager =
      Belos::SolverFactory<double, MultiVector, Operator>().create("TESSERA CG", solver_list());
  for (int solve = 0; solve < 2; ++solve) {  // the first moves waves() to the device
    x->putScalar(0);
    auto const problem = rcp(new TpetraProblem(s.A, x, b));
    problem->setLeftPrec(s.M);
    EXPECT_TRUE(problem->setProblem());
    manager->setProblem(problem);
    auto const before = core::transferred_bytes();
    EXPECT_EQ(manager->solve(), Belos::Converged);
    auto const moved = core::transferred_bytes() - before;
    // The copy of one column at most, and numbers such as norms.
    EXPECT_LE(moved.to_device + moved.to_host, b->getLocalLength() * sizeof(double) + 256);
    for (double residual : residuals(*s.A, *x, *b)) EXPECT_LE(residual, 1.1e-8);
  }
}

TEST(SolversGpu, ASparseInverseIsChosenByTheListAlone) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  one_call_solves_with_a_sparse_inverse("cuda");
}

}  // namespace
}  // namespace Tessera::test
