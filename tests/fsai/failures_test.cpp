// Allocations that fail on one rank, at every position of a setup.
#include <gtest/gtest.h>

#include "cases.hpp"
#include "support/failing_allocations.hpp"

namespace Tessera::test {
namespace {

/// Setup, refresh and report of a product of two adaptive factors.
struct SetupRefreshReport {
  comm::DistCsr<double, Host> A = distribute(oracle::laplace(8, 8), share(world(), 64, false));
  fsai::Parameters p = parameters(1, 0, 0.05);

  SetupRefreshReport() {
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
  SetupRefreshReport const work;
  auto const& comm = work.A.rows.comm();
  return expect_every_failure_on_every_rank(kind, comm, {"FSAI setup: ", "FSAI refresh: ", "FSAI report: "},
                                            work);
}

TEST(Failures, AFailedArrayAllocationIsReportedOnAllRanks) {
  EXPECT_GT(failures_of(Arrays<Host>{}), 2 * world().size());
}

TEST(Failures, AFailedListAllocationIsReportedOnAllRanks) {
  EXPECT_GT(failures_of(News{}), 2 * world().size());
}

}  // namespace
}  // namespace Tessera::test
