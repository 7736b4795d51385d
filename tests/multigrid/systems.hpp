#pragma once
/// \file
/// Whole matrices shared out among ranks, and iterations with a hierarchy as preconditioner.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "comm/dist_csr.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "oracle/conjugate_gradients.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "support/distribute.hpp"

namespace Tessera::test {

/// Node rows by rank: even, or uneven with every third rank empty.
inline comm::Distribution share(comm::Communicator const& comm, Index n, bool even = true, int block = 1) {
  GlobalIndex const nodes = n / block;
  std::vector<GlobalIndex> weight(comm.size());
  GlobalIndex total = 0;
  for (int r = 0; r < comm.size(); ++r) total += weight[r] = even ? 1 : (r % 3 == 1 ? 0 : 1 + r % 2);
  GlobalIndex before = 0;
  for (int r = 0; r < comm.rank(); ++r) before += weight[r];
  auto const begin = nodes * before / total, end = nodes * (before + weight[comm.rank()]) / total;
  return {comm, static_cast<Index>((end - begin) * block)};
}

/// Several levels of small matrices, all on all ranks.
inline multigrid::Parameters small_coarsest(int size = 30) {
  multigrid::Parameters p;
  p.coarse_max_size = size;
  p.rows_per_rank = 0;
  return p;
}

/// Global node numbers as ids.
inline std::vector<VertexId> node_ids(comm::Distribution const& rows, int equations = 1) {
  std::vector<VertexId> ids;
  for (auto i = rows.begin(); i < rows.end(); i += equations) ids.push_back(i / equations);
  return ids;
}

template <class Space>
Array<VertexId, Space> node_ids_on(Space const& space, comm::Distribution const& rows, int equations = 1) {
  return core::to_space(space, node_ids(rows, equations));
}

inline double dot(comm::Communicator const& comm, std::vector<double> const& a,
                  std::vector<double> const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return comm.sum(sum);
}

inline std::vector<double> times(comm::DistCsr<double, Host> const& A, std::vector<double> const& x) {
  std::vector<double> y(A.local.rows);
  comm::multiply(Host{}, A, Span<double const>(x.data(), x.size()), Span<double>(y.data(), y.size()));
  return y;
}

template <class Operator>
std::vector<double> precondition(Operator& M, std::vector<double> const& b) {
  std::vector<double> x(b.size(), std::nan(""));
  M.apply({b.data(), b.size()}, {x.data(), x.size()});
  return x;
}

/// apply(x, y), a linear function of owned entries, as a matrix on every rank.
template <class Apply>
oracle::Dense dense(comm::Distribution const& rows, comm::Distribution const& columns, Apply const& apply) {
  oracle::Dense result(static_cast<Index>(rows.global_size()), static_cast<Index>(columns.global_size()));
  for (Index j = 0; j < result.columns; ++j) {
    std::vector<double> x(columns.local_size(), 0.0), y(rows.local_size(), 0.0);
    if (columns.owns(j)) x[j - columns.begin()] = 1;
    apply(Span<double const>(x.data(), x.size()), Span<double>(y.data(), y.size()));
    auto const column = rows.comm().all_gather(y);
    for (Index i = 0; i < result.rows; ++i) result(i, j) = column[i];
  }
  return result;
}

/// The part of a level report that is equal on all spaces. An additional member is a compile error until it
/// is named here.
inline auto whatever_the_space(multigrid::LevelReport const& level) {
  auto const& [rows, nonzeros, aggregates, smallest, largest, ranks, rho, smoother, format, precision,
               entry_bytes, bytes, checksum] = level;
  static_cast<void>(format), static_cast<void>(entry_bytes),
      static_cast<void>(bytes);  // as each space stores it
  return std::tuple(rows, nonzeros, aggregates, smallest, largest, ranks, rho, smoother, precision, checksum);
}

/// Levels and all else that tells hierarchies apart are the same, bit by bit.
inline void expect_same_levels(multigrid::HierarchyReport const& a, multigrid::HierarchyReport const& b) {
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t l = 0; l < a.levels.size(); ++l)
    EXPECT_EQ(whatever_the_space(a.levels[l]), whatever_the_space(b.levels[l])) << "level " << l;
}

/// Iterations until ||r|| <= tolerance ||b||, at most `limit`; limit + 1 when that was not reached. Fails
/// where the true residual is more than a tenth above that.
template <class Operator>
int conjugate_gradients(comm::DistCsr<double, Host> const& A, Operator& M, std::vector<double> const& b,
                        std::vector<double>& x, double tolerance = 1e-8, int limit = 200) {
  auto solved = oracle::conjugate_gradients(
      [&](auto const& v) { return times(A, v); }, [&](auto const& r) { return precondition(M, r); },
      [&](auto const& v, auto const& w) { return dot(A.rows.comm(), v, w); }, b, tolerance, limit);
  x = std::move(solved.x);
  auto residual = times(A, x);
  for (std::size_t i = 0; i < x.size(); ++i) residual[i] = b[i] - residual[i];
  double const reached = std::sqrt(dot(A.rows.comm(), residual, residual));
  EXPECT_TRUE(!solved.converged || reached <= 1.1 * tolerance * solved.norms[0])
      << "||b - A x|| is " << reached;
  return solved.converged ? solved.iterations() : limit + 1;
}

/// Small matrices whose condition is beyond what float resolves, 2^24.
inline std::vector<sparse::Csr<double, Host>> beyond_float() {
  std::vector<sparse::Csr<double, Host>> all;
  all.push_back(oracle::pinned_neumann_laplace(20, 20, 1e-6));
  all.push_back(oracle::pinned_neumann_laplace(30, 30, 1e-6));
  all.push_back(oracle::clamped_beam(100));
  return all;
}

}  // namespace Tessera::test
