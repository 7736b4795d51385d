#include "tpetra/magnitudes.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {
namespace {

/// x of row j, negative in every second row.
double sample_x(int j, int column) {
  return (j % 2 == 0 ? 1 : -1) * (j + 1 + 20 * column);
}

TEST(Magnitudes, AreSumsWithoutSignsOnAnyMap) {
  for (auto const& layout : sample::layouts()) {
    auto const A = sample::matrix(layout, -1);
    MultiVector X(A->getRowMap(), 2), Y(A->getRowMap(), 2);
    auto const ids = local_elements(*A->getRowMap());
    for (int i = 0; i < ids.size(); ++i)
      for (int c = 0; c < 2; ++c) X.replaceLocalValue(i, c, sample_x(layout.row(ids[i]), c));
    multiply_magnitudes(*A, X, Y);
    ReadColumns const y(Y);
    for (int i = 0; i < ids.size(); ++i) {
      for (int c = 0; c < 2; ++c) {
        double expected = 0;
        for (int j = 0; j < sample::rows; ++j)
          expected += sample::entry(layout.row(ids[i]), j) * std::abs(sample_x(j, c));
        EXPECT_EQ(y[c][i], expected) << layout.name << ", row " << layout.row(ids[i]);
      }
    }
  }
}

}  // namespace
}  // namespace Tessera::tpetra
