// Tessera::Fsai on a GPU beside the host.
#include <gtest/gtest.h>

#include <algorithm>

#include "ifpack2/any_operator.hpp"
#include "kinds.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 60;

/// Of the longer column of two.
double norm(MultiVector const& v) {
  double norms[2];
  v.norm2(Teuchos::ArrayView<double>(norms, 2));
  return std::max(norms[0], norms[1]);
}

struct SparseInverseOnCuda : testing::Test {
  void SetUp() override { TESSERA_SKIP_WITHOUT_DEVICE(); }

  RCP<Fsai<>> computed(char const* backend, char const* precision, int steps) const {
    auto const M = rcp(new Fsai<>(A));
    Teuchos::ParameterList list;
    list.set("verbosity", "none").set("backend: type", backend).set("precision: hierarchy", precision);
    list.set("fsai: pattern level", steps > 0 ? 1 : 3).set("fsai: adaptive steps", steps);
    M->setParameters(list);
    M->compute();
    return M;
  }

  /// Pattern and values of G, and M^-1 x.
  void compare(Fsai<> const& gpu, Fsai<> const& host, double tolerance) const {
    auto const &g = *gpu.inPlace()->fsai_report(), &h = *host.inPlace()->fsai_report();
    EXPECT_EQ(g.backend, "cuda");
    EXPECT_EQ(h.backend, "host");
    EXPECT_EQ(g.pattern_nonzeros, h.pattern_nonzeros);
    EXPECT_EQ(g.factor_nonzeros, h.factor_nonzeros);
    EXPECT_EQ(g.row_size_histogram, h.row_size_histogram);
    MultiVector x(map, 2), y(map, 2);
    gpu.apply(*waves(map, 2), x);
    host.apply(*waves(map, 2), y);
    double const size = norm(y);
    y.update(1.0, x, -1.0);
    EXPECT_LT(norm(y), tolerance * size);
  }

  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
};

TEST_F(SparseInverseOnCuda, IsTheHostsInEitherPrecisionAndAfterARefresh) {
  for (auto const* precision : {"float", "double"}) {
    for (int const steps : {0, 2}) {
      double const tolerance = *precision == 'f' ? 1e-5 : 1e-12;
      auto const gpu = computed("cuda", precision, steps), host = computed("host", precision, steps);
      compare(*gpu, *host, tolerance);
      A->resumeFill();
      A->scale(3.0);
      A->fillComplete();
      gpu->compute();
      host->compute();
      EXPECT_NE(gpu->description().find("refresh (pattern kept)"), std::string::npos) << gpu->description();
      compare(*gpu, *host, tolerance);
    }
  }
}

}  // namespace
}  // namespace Tessera::test
