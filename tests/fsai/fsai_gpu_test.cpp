#include <gtest/gtest.h>

#include <algorithm>

#include "cases.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "fsai/cut_rows.hpp"
#include "fsai/pattern.hpp"
#include "fsai/row_systems.hpp"
#include "support/device.hpp"

namespace Tessera {
namespace {

using test::parameters;
using test::share;
using test::world;

/// Results of each part of a setup, on the host. Rows from `first` on are owned.
struct Parts {
  std::vector<Offset> offsets, grown_offsets;
  std::vector<Index> filtered, cut_column, column, grown_column, kept;
  std::vector<double> solved, postfiltered, rescaled;
  std::vector<unsigned char> cut, filled, keep, grown_rows;
};

template <class Space>
Parts parts(Space const& space, sparse::Csr<double, Host> const& whole, Index first,
            fsai::Parameters const& p) {
  auto const A = sparse::copied<double>(Host{}, whole, space);
  fsai::LowerRows const rows{A.view(), {first, {}}};
  auto const filtered = fsai::prefiltered(space, rows, p.prefilter);
  Array<unsigned char, Space> cut(space, whole.rows - first);
  Index const max_size = p.max_row_size > 0 ? p.max_row_size : fsai::largest_row;
  auto pattern =
      fsai::static_pattern(space, filtered.view(), rows.own, {p.pattern_level, max_size}, cut.span());
  Parts found;
  found.cut = core::to_vector(space, cut.view());
  found.cut_column = core::to_vector(space, pattern.column.view());
  EXPECT_EQ(fsai::fill_cut_rows(space, rows, p.prefilter, max_size, p.workspace, pattern, cut.span()).row,
            -1);
  found.filled = core::to_vector(space, cut.view());
  auto const entries = pattern.column.size();
  Array<double, Space> value(space, entries), again(space, entries);
  auto const failure = fsai::solve_rows(space, rows, pattern.view(), value.span(), p.workspace);
  EXPECT_EQ(failure.row, -1);
  core::copy(space, value.view(), space, again.span());
  found.filtered = core::to_vector(space, filtered.column.view());
  found.offsets = core::to_vector(space, pattern.offsets.view());
  found.column = core::to_vector(space, pattern.column.view());
  found.solved = core::to_vector(space, value.view());
  std::vector<unsigned char> some(whole.rows - first, 1);
  for (std::size_t r = 0; r < some.size(); r += 5) some[r] = 0;
  auto active = core::to_space(space, some);
  auto const grown = fsai::grown_pattern(space, rows, pattern.view(), value.view(), active.span(),
                                         {3, max_size, p.adaptive_tolerance});
  found.grown_rows = core::to_vector(space, active.view());
  found.grown_offsets = core::to_vector(space, grown.offsets.view());
  found.grown_column = core::to_vector(space, grown.column.view());
  Array<unsigned char, Space> keep(space, entries);
  Array<Index, Space> kept(space, some.size());
  fsai::postfilter(space, rows, pattern.view(), p.postfilter, p.postfilter_norm, value.span(), keep.span(),
                   kept.span());
  fsai::rescale(space, rows, pattern.view(), keep.view(), again.span());
  found.postfiltered = core::to_vector(space, value.view());
  found.rescaled = core::to_vector(space, again.view());
  found.keep = core::to_vector(space, keep.view());
  found.kept = core::to_vector(space, kept.view());
  return found;
}

void expect_equal(Parts const& a, Parts const& b) {
  EXPECT_EQ(a.filtered, b.filtered);
  EXPECT_EQ(a.cut, b.cut);
  EXPECT_EQ(a.cut_column, b.cut_column);
  EXPECT_EQ(a.filled, b.filled);
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.solved, b.solved);
  EXPECT_EQ(a.grown_rows, b.grown_rows);
  EXPECT_EQ(a.grown_offsets, b.grown_offsets);
  EXPECT_EQ(a.grown_column, b.grown_column);
  EXPECT_EQ(a.keep, b.keep);
  EXPECT_EQ(a.kept, b.kept);
  EXPECT_EQ(a.postfiltered, b.postfiltered);
  EXPECT_EQ(a.rescaled, b.rescaled);
}

TEST(FsaiOnTheDevice, EveryPartGivesTheHostsResult) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = test::device_of_rank();
  auto list = test::matrices();
  list.push_back(oracle::laplace(23, 19, 17));
  list.push_back(oracle::random_spd(1500, 3.0, 41));
  list.push_back(oracle::random_spd(700, 9.0, 43));
  for (auto const& A : list) {
    for (int const k : {0, 1, 2, 3}) {
      for (double const tau : {0.0, 0.05}) {
        if (A.rows == 700 && k == 3) continue;  // all rows would be long
        auto p = parameters(k, tau, 0.07);
        if (tau > 0) p.postfilter_norm = fsai::PostfilterNorm::energy;
        expect_equal(parts(cuda, A, 0, p), parts(Host{}, A, 0, p));
        expect_equal(parts(cuda, A, A.rows / 3, p), parts(Host{}, A, A.rows / 3, p));
      }
    }
  }
}

/// Row 0 is full, so that two steps reach all earlier rows: systems of every size.
TEST(FsaiOnTheDevice, SystemsOfEverySizeGiveTheHostsResult) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = test::device_of_rank();
  for (Index const n : {40, 290, fsai::largest_row}) {
    auto dense = oracle::to_dense(oracle::random_spd(n, 9.0, 47).view());
    for (Index j = 1; j < n; ++j) dense(j, 0) = dense(0, j) = dense(0, j) + 0.5 / n;
    dense(0, 0) += 1;
    auto const A = oracle::to_csr(dense);
    auto p = parameters(2, 0, 0.05);
    auto const last = std::max<Index>(0, n - 8);
    if (n < 1000) expect_equal(parts(cuda, A, 0, p), parts(Host{}, A, 0, p));
    p.workspace = 1;  // one system at a time
    expect_equal(parts(cuda, A, last, p), parts(Host{}, A, last, p));
  }
}

TEST(FsaiOnTheDevice, TheFactorAndItsRefreshAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = test::device_of_rank();
  for (auto const& A : {oracle::laplace(16, 15, 14), oracle::random_spd(900, 5.0, 53)}) {
    for (int const steps : {0, 2, 8, 4}) {
      auto p = parameters(steps == 0 ? 2 : 0, 0.01, 0.05);
      p.adaptive_steps = steps;
      if (steps > 0) p.ordering = fsai::Ordering::random;
      if (steps == 4) p.factors = 2;
      if (steps > 0) p.postfilter_norm = fsai::PostfilterNorm::energy;
      auto D = test::distribute(A, share(world(), A.rows, false));
      auto E = comm::copied(Host{}, D, cuda);
      fsai::Fsai<double, Host> host(Host{}, D, p);
      fsai::Fsai<double, Cuda> device(cuda, E, p);
      EXPECT_EQ(device.report().checksum, host.report().checksum);
      EXPECT_EQ(device.report().row_size_histogram, host.report().row_size_histogram);
      device.apply();  // records the graph
      device.refresh(E);
      EXPECT_EQ(device.report().checksum, host.report().checksum);
      for (Index i = 0; i < D.local.rows; ++i) {
        for (Offset k = D.local.offsets[i]; k < D.local.offsets[i + 1]; ++k) D.local.value[k] *= 3;
      }
      host.refresh(D);
      device.refresh(comm::copied(Host{}, D, cuda));
      EXPECT_EQ(device.report().checksum, host.report().checksum);
      core::fill(Host{}, host.input(), 1.0);
      core::copy(Host{}, Span<double const>(host.input()), cuda, device.input());
      host.apply();
      device.apply();  // replays the graph
      auto const x = core::to_vector(cuda, device.output());
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], host.output()[i], 1e-13);
    }
  }
}

template <class T>
void expect_equal_products(Cuda const& cuda, double tolerance) {
  auto const A = oracle::laplace(16, 15, 14);
  auto const D = test::distribute(A, share(world(), A.rows));
  auto const p = parameters(2, 0, 0.05);
  fsai::Fsai<T, Host> host(Host{}, D, p);
  fsai::Fsai<T, Cuda> device(cuda, comm::copied(Host{}, D, cuda), p);
  auto const b = oracle::random_vector(D.local.rows, 59 + D.rows.comm().rank());
  std::vector<double> x(b.size());
  host.apply(Span<double const>(b.data(), b.size()), {x.data(), x.size()});
  auto const device_b = core::to_space(cuda, b);
  Array<double, Cuda> device_x(cuda, b.size());
  device.apply(device_b.view(), device_x.span());
  for (int again = 0; again < 2; ++again) {  // recorded, then replayed
    auto const y = core::to_vector(cuda, device_x.view());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], tolerance);
    device.apply(device_b.view(), device_x.span());
  }
  std::vector<T> const rounded(b.begin(), b.end());
  core::copy(Host{}, Span<T const>(rounded.data(), rounded.size()), cuda, device.input());
  for (int again = 0; again < 2; ++again) {
    device.apply();
    auto const y = core::to_vector(cuda, device.output());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], tolerance);
  }
}

TEST(FsaiOnTheDevice, AppliesAsTheHostDoes) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  expect_equal_products<double>(test::device_of_rank(), 1e-14);
  expect_equal_products<float>(test::device_of_rank(), 1e-6);
}

TEST(FsaiOnTheDevice, ErrorsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = test::device_of_rank();
  auto const error_text = [](auto const& space, auto const& A, fsai::Parameters const& p) -> std::string {
    try {
      fsai::Fsai<double, std::decay_t<decltype(space)>> M(space, A, p);
    } catch (std::exception const& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  auto dense = oracle::to_dense(oracle::laplace(400).view());
  for (Index j = 0; j < 100; j += 2) dense(347, j) = dense(j, 347) = 0.01;
  auto const with = [&](Index i, Index j, double value) {
    auto changed = dense;
    changed(i, j) = changed(j, i) = value;
    return test::distribute(oracle::to_csr(changed), share(world(), 400));
  };
  auto p = parameters(1);
  for (auto const& A : {with(399, 398, -3.0), with(217, 217, -1.0), with(30, 30, 0.0)}) {
    EXPECT_EQ(error_text(cuda, comm::copied(Host{}, A, cuda), p), error_text(Host{}, A, p));
  }
  for (double const coupling : {-2.1, -2.00001}) {
    auto const A = with(399, 398, coupling);
    auto const words = error_text(Host{}, A, p);
    EXPECT_NE(words.find("row 399: "), std::string::npos);
    EXPECT_EQ(error_text(cuda, comm::copied(Host{}, A, cuda), p), words);
  }
}

/// Each range of bounds has its own search kernel.
TEST(FsaiOnTheDevice, RowsAreCutAsOnTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = test::device_of_rank();
  for (auto const& A :
       {oracle::laplace(23, 19, 17), oracle::random_spd(1500, 3.0, 41), oracle::random_spd(400, 60.0, 9)}) {
    for (int const max_size : {1, 2, 7, 30, 50, 100, 200, 600}) {
      auto p = parameters(3, 0.0, 0.05);
      p.max_row_size = max_size;
      if (A.rows == 1500 && max_size > 200) continue;
      expect_equal(parts(cuda, A, 0, p), parts(Host{}, A, 0, p));
      auto const D = test::distribute(A, share(world(), A.rows, false));
      fsai::Fsai<double, Host> host(Host{}, D, p);
      fsai::Fsai<double, Cuda> device(cuda, comm::copied(Host{}, D, cuda), p);
      EXPECT_EQ(device.report().checksum, host.report().checksum);
      EXPECT_EQ(device.report().cut_rows, host.report().cut_rows);
    }
  }
}

/// All rows of this matrix are long, so that the bound depends on the sizes of all rows.
TEST(FsaiOnTheDevice, TheBoundOfRowsIsTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = test::device_of_rank();
  auto const A = oracle::random_spd(700, 9.0, 43);
  for (int const steps : {0, 10}) {
    auto p = parameters(steps > 0 ? 0 : 3, 0.0, 0.05);
    p.adaptive_steps = steps;
    p.adaptive_step_size = 64;
    p.adaptive_tolerance = 0;
    auto const D = test::distribute(A, share(world(), A.rows, false));
    fsai::Fsai<double, Host> host(Host{}, D, p);
    fsai::Fsai<double, Cuda> device(cuda, comm::copied(Host{}, D, cuda), p);
    EXPECT_EQ(device.report().checksum, host.report().checksum);
    EXPECT_LT(host.report().row_bound, 700);
    EXPECT_EQ(device.report().row_bound, host.report().row_bound);
    EXPECT_EQ(device.report().cut_rows, host.report().cut_rows);
  }
}

/// Disconnected paths of n nodes with unequal weights, with strong couplings before the last one. Each range
/// of sizes has its own kernel, and each kernel gets a pivot that is zero to rounding.
TEST(FsaiOnTheDevice, SingularComponentsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = test::device_of_rank();
  for (Index const n : {2, 3, 7, 8, 13, 16, 21, 30, 45, 60, 80, 120, 170, 240, 400}) {
    oracle::Dense dense(2 * n, 2 * n);
    for (Index part = 0; part < 2; ++part) {
      for (Index e = part * n; e + 1 < (part + 1) * n; ++e) {
        double const weight = e + 2 == 2 * n ? 1 : part == 0 ? 0.1 * (1 + 7 * e % 9) : 1e6 / 3;
        dense(e, e) += weight;
        dense(e + 1, e + 1) += weight;
        dense(e, e + 1) = dense(e + 1, e) = -weight;
      }
    }
    auto const A = oracle::to_csr(dense);
    auto p = parameters(static_cast<int>(n), 0.0, 0.05);
    p.max_row_size = fsai::largest_row;
    auto const host = parts(Host{}, A, 0, p);
    EXPECT_EQ(host.solved.back(), 1.0);
    expect_equal(parts(cuda, A, 0, p), host);
    p.workspace = 1;  // one system at a time
    expect_equal(parts(cuda, A, n - 1, p), parts(Host{}, A, n - 1, p));
  }
}

TEST(FsaiOnTheDevice, DegenerateMatricesWork) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = test::device_of_rank();
  for (Index const n : {0, 1, 2}) {
    auto p = parameters(3, 0.0, 0.03);
    p.adaptive_steps = 1;
    auto const D = test::distribute(oracle::laplace(n), share(world(), n));
    fsai::Fsai<double, Cuda> M(cuda, comm::copied(Host{}, D, cuda), p);
    EXPECT_EQ(M.report().checksum, (fsai::Fsai<double, Host>(Host{}, D, p).report().checksum));
    M.apply();
  }
}

}  // namespace
}  // namespace Tessera
