// Memory that runs out on one rank, wherever that is.
#include <gtest/gtest.h>

#include "cases.hpp"
#include "support/failing_allocations.hpp"

namespace Tessera::test {
namespace {

/// Setup, refresh and report of a product of two adaptive factors.
struct WholeLife {
  comm::DistCsr<double, Host> A = distribute(oracle::laplace(8, 8), share(world(), 64, false));
  fsai::Parameters p = parameters(1, 0, 0.05);

  WholeLife() {
    p.adaptive_steps = 2;
    p.factors = 2;
    p.ordering = fsai::Ordering::random;
  }
  void operator()() const {
    fsai::Fsai<float, Host> M(Host{}, A, p);
    M.refresh(A);
    M.report();
  }
};

template <class Kind>
int failures_of(Kind const& kind) {
  WholeLife const work;
  auto const& comm = work.A.rows.comm();
  return expect_every_failure_on_every_rank(kind, comm, {"FSAI setup: ", "FSAI refresh: ", "FSAI report: "},
                                            work);
}

TEST(Failures, AnArrayThatOneRankCannotHaveIsSaidOnAll) {
  EXPECT_GT(failures_of(Arrays<Host>{}), 2 * world().size());
}

TEST(Failures, AListThatOneRankCannotHaveIsSaidOnAll) {
  EXPECT_GT(failures_of(News{}), 2 * world().size());
}

}  // namespace
}  // namespace Tessera::test
