// Kreutzer et al. 2012, table I: the share of ELLPACK's entries that pJDS saves.
#include <gtest/gtest.h>

#include <iostream>

#include "sparse/formats/formats.hpp"
#include "support/kreutzer_2012.hpp"

namespace Tessera::papers {
namespace {

/// Per cent, for a substitute matrix with a sixteenth of the rows and the same distribution of row lengths.
double saved(benchmarks::PaperMatrix matrix) {
  matrix.like.nodes /= 16;
  auto const A = benchmarks::made(matrix);
  Offset longest = 0;
  for (Index i = 0; i < A.rows; ++i) longest = std::max(longest, A.offsets[i + 1] - A.offsets[i]);
  sparse::SplitRows<double, Host> const stored(Host{}, A.view(), {true, {}}, {},
                                               sparse::StorageParameters{sparse::MatrixFormat::pjds});
  std::size_t entries = 0;
  stored.visit_first([&](auto const& view) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(view)>, sparse::CsrRows<double>>)
      entries = view.value.size();
  });
  EXPECT_GE(entries, A.column.size());
  return 100 *
         (1 - static_cast<double>(entries) / (static_cast<double>(A.rows) * static_cast<double>(longest)));
}

TEST(Kreutzer2012, TableOneSubstitutesSaveThePapersShare) {
  for (auto const& matrix : benchmarks::kreutzer_2012()) {
    if (matrix.like.nodes == 0) continue;  // HMEp is the original matrix: tests/gallery
    double const ours = saved(matrix);
    std::cout << "Kreutzer et al. 2012, table I, " << matrix.name << ": pJDS saves " << ours << " %, "
              << ours - matrix.saved << " more than the paper's " << matrix.saved << " %\n";
    EXPECT_NEAR(ours, matrix.saved, 0.5) << matrix.name;
  }
}

}  // namespace
}  // namespace Tessera::papers
