#pragma once
/// \file
/// Matrices, distributions, and conversions of patterns and factors for tests.

#include <vector>

#include "fsai/fsai.hpp"
#include "fsai/pattern.hpp"
#include "oracle/fsai_oracle.hpp"
#include "oracle/generators.hpp"
#include "support/distribute.hpp"

namespace Tessera::test {

/// Rows by rank: even, or uneven with every third rank empty.
inline comm::Distribution share(comm::Communicator const& comm, Index n, bool even = true) {
  std::vector<GlobalIndex> before(comm.size() + 1, 0);
  for (int r = 0; r < comm.size(); ++r) before[r + 1] = before[r] + (even ? 1 : r % 3 == 1 ? 0 : 1 + r % 2);
  auto const begin = n * before[comm.rank()] / before.back(),
             end = n * before[comm.rank() + 1] / before.back();
  return {comm, static_cast<Index>(end - begin)};
}

inline fsai::LowerRows whole(sparse::Csr<double, Host> const& A) {
  return {A.view(), {}};
}

inline fsai::Parameters parameters(int k, double tau = 0, double delta = 0) {
  fsai::Parameters p;
  p.pattern_level = k;
  p.prefilter = tau;
  p.postfilter = delta;
  return p;
}

/// Symmetric positive definite matrices of several kinds.
inline std::vector<sparse::Csr<double, Host>> matrices() {
  std::vector<sparse::Csr<double, Host>> list;
  list.push_back(oracle::laplace(7, 5, 3));
  list.push_back(oracle::anisotropic_laplace(9, 8, 1, 1.0, 0.01, 0.0));
  list.push_back(oracle::random_spd(83, 5.0, 3));
  list.push_back(oracle::random_spd(61, 0.4, 5));
  return list;
}

template <class T>
std::vector<std::vector<Index>> rows_of(Span<Offset const> offsets, Span<T const> column) {
  std::vector<std::vector<Index>> rows;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    rows.emplace_back(column.begin() + offsets[i], column.begin() + offsets[i + 1]);
  return rows;
}

inline std::vector<std::vector<Index>> rows_of(fsai::PatternView pattern) {
  return rows_of(pattern.offsets, pattern.column);
}

inline std::vector<std::vector<Index>> rows_of(oracle::DensePattern const& pattern) {
  std::vector<std::vector<Index>> rows;
  for (std::size_t i = 0; i < pattern.size(); ++i)
    rows.push_back(oracle::columns_of(pattern, static_cast<Index>(i)));
  return rows;
}

inline fsai::Pattern<Host> to_pattern(oracle::DensePattern const& pattern) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  for (auto const& row : rows_of(pattern)) {
    column.insert(column.end(), row.begin(), row.end());
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return {core::to_space(Host{}, offsets), core::to_space(Host{}, column)};
}

/// G of all ranks, on every rank.
inline oracle::Dense whole_factor(comm::DistCsr<double, Host> const& G) {
  auto const n = static_cast<Index>(G.rows.global_size());
  auto const columns = comm::global_columns(G.halo);
  std::vector<double> entries;
  for (Index i = 0; i < G.local.rows; ++i) {
    for (Offset k = G.local.offsets[i]; k < G.local.offsets[i + 1]; ++k) {
      entries.push_back(static_cast<double>(G.rows.begin() + i));
      entries.push_back(static_cast<double>(columns[G.local.column[k]]));
      entries.push_back(G.local.value[k]);
    }
  }
  oracle::Dense dense(n, n);
  auto const all = G.rows.comm().all_gather(entries);
  for (std::size_t e = 0; e < all.size(); e += 3)
    dense(static_cast<Index>(all[e]), static_cast<Index>(all[e + 1])) = all[e + 2];
  return dense;
}

inline oracle::Dense factor_of(sparse::Csr<double, Host> const& A, comm::Distribution const& rows,
                               fsai::Parameters const& parameters) {
  fsai::Fsai<double, Host> const M(Host{}, distribute(A, rows), parameters);
  return whole_factor(M.factor());
}

}  // namespace Tessera::test
