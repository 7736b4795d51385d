// Cycles on blocks of vectors.
#include "multigrid/blocks.hpp"

#include "multigrid/coarsenings.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "multigrid/systems.hpp"
#include "support/stored.hpp"

namespace Tessera::multigrid {
namespace {

/// choose(parameters): besides those of a small problem, with coarse levels on all ranks and on fewer.
template <class T, class Choose>
void expect_columns(char const* name, sparse::Csr<double, Host> const& whole, Choose const& choose) {
  for (auto const& [rows_per_rank, half] : {std::pair(0, false), {300, false}, {300, true}}) {
    if (half && std::is_same_v<T, double>) continue;
    SCOPED_TRACE(name);
    Parameters p;
    p.half = half ? HalfLevels::all : HalfLevels::none;
    p.coarse_max_size = 30;
    p.rows_per_rank = rows_per_rank;
    choose(p);
    if (p.cycle == CycleType::K) p.cycle = CycleType::V;
    auto const A = test::distribute(whole, test::share(test::world(), whole.rows, false, p.equations));
    Hierarchy<T, Host> M(Host{}, A, test::node_ids_on(Host{}, A.rows, p.equations), {}, p);
    EXPECT_TRUE(M.takes_blocks());
    auto const n = static_cast<std::size_t>(A.rows.local_size());
    test::expect_columns_as_alone<T>(M, Host{}, n, 7 + A.rows.begin());
    M.refresh(A);
    test::expect_columns_as_alone<T>(M, Host{}, n, 7 + A.rows.begin());
  }
}

template <class T>
void expect_all_columns() {
  auto const laplace = oracle::anisotropic_laplace(11, 10, 7, 1.0, 2.0, 3.0);
  for (auto const& way : test::ways_to_coarsen()) expect_columns<T>(way.name, laplace, way.choose);
  for (auto smoother : {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::fsai})
    expect_columns<T>("smoother", laplace, [=](Parameters& p) { p.smoother.type = smoother; });
  for (int degree : {1, 2, 3})
    expect_columns<T>("degree", laplace, [=](Parameters& p) { p.smoother.degree = degree; });
  for (auto cycle : {CycleType::W, CycleType::F})
    expect_columns<T>("cycle", laplace, [=](Parameters& p) { p.cycle = cycle; });
  expect_columns<T>("applications", laplace, [](Parameters& p) { p.applications = 3; });
  expect_columns<T>("after", laplace, [](Parameters& p) { p.smoother.pre_or_post = PreOrPost::post; });
  expect_columns<T>("no dense solver", laplace, [](Parameters& p) { p.coarse = CoarseType::smoother; });
  expect_columns<T>("singular", oracle::neumann_laplace(24, 24), [](Parameters&) {});
  expect_columns<T>("beam", oracle::clamped_beam(120), [](Parameters& p) { p.equations = 2; });
  expect_columns<T>("unsmoothed beam", oracle::clamped_beam(120), [](Parameters& p) {
    p.equations = 2;
    p.coarsening = CoarseningType::unsmoothed;
  });
  for (auto const& [name, format] : test::formats())
    expect_columns<T>(name, laplace, [format = format](Parameters& p) { p.format = format; });
}

TEST(Blocks, ColumnsInFloatAreBitwiseWhatTheyAreAlone) {
  expect_all_columns<float>();
}

TEST(Blocks, ColumnsInDoubleAreBitwiseWhatTheyAreAlone) {
  expect_all_columns<double>();
}

TEST(Blocks, TheirMemoryIsTakenOnceAndCounted) {
  auto const whole = oracle::laplace(12, 9);
  auto const A = test::distribute(whole, test::share(test::world(), whole.rows));
  Parameters p;
  p.coarse_max_size = 5;
  Hierarchy<double, Host> M(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, p);
  auto const before = M.report().levels.front().bytes;
  M.reserve_columns(8);
  auto const bytes = M.report().levels.front().bytes;
  EXPECT_GE(bytes - before, std::size_t{8 * 4 * 108 * sizeof(double)});
  M.reserve_columns(4);
  EXPECT_EQ(M.report().levels.front().bytes, bytes);
}

}  // namespace
}  // namespace Tessera::multigrid
