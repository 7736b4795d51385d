#pragma once
/// \file
/// Matrices that every rank has whole, shared out.
#include <mpi.h>

#include <cmath>
#include <vector>

#include "comm/dist_csr.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "oracle/dense.hpp"
#include "support/distribute.hpp"

namespace Tessera::test {

/// Ways to share rows among ranks: about alike; the last rank has all; every second rank has none.
enum class Share { alike, last_only, odd_empty };
constexpr Share all_shares[] = {Share::alike, Share::last_only, Share::odd_empty};

inline comm::Distribution share(Index n, Share how = Share::alike) {
  comm::Communicator const comm(MPI_COMM_WORLD);
  auto const weight = [&](int r) {
    if (how == Share::last_only) return r + 1 == comm.size() ? 1 : 0;
    return how == Share::odd_empty && r % 2 == 1 ? 0 : 1;
  };
  GlobalIndex total = 0, before = 0;
  for (int r = 0; r < comm.size(); ++r) total += weight(r);
  for (int r = 0; r < comm.rank(); ++r) before += weight(r);
  GlobalIndex const begin = n * before / total, end = n * (before + weight(comm.rank())) / total;
  return {comm, static_cast<Index>(end - begin)};
}

/// A system on the host, and what solving it once gave.
struct System {
  comm::Distribution rows;
  comm::DistMatrix<double, Host> A;
  krylov::Preconditioner M;
  krylov::Workspace<Host> workspace;
  std::vector<double> b, x;  ///< owned entries

  System(sparse::Csr<double, Host> const& whole, std::vector<double> const& b_whole, Share how = Share::alike,
         comm::StorageParameters const& storage = {})
      : rows(share(whole.rows, how)),
        A(Host{}, distribute(whole, rows), storage),
        b(b_whole.begin() + rows.begin(), b_whole.begin() + rows.end()),
        x(b.size(), 0.0) {}

  krylov::Result solve(krylov::Parameters const& parameters = {}) {
    return krylov::solve(Host{}, A, M, Span<double const>(b.data(), b.size()),
                         Span<double>(x.data(), x.size()), parameters, workspace);
  }

  std::vector<double> whole_x() const { return rows.comm().all_gather(x); }

  /// M^-1 = a function of whole vectors, which every rank works out alone.
  template <class Whole>
  void precondition_whole(Whole const& whole) {
    M.apply = [whole, rows = rows](Span<double const> r, Span<double> z) {
      auto const all = whole(rows.comm().all_gather(std::vector<double>(r.begin(), r.end())));
      std::copy(all.begin() + rows.begin(), all.begin() + rows.end(), z.begin());
    };
  }

  /// M = D, a diagonal that every rank has whole.
  void precondition(std::vector<double> const& inverse_diagonal) {
    M.apply = [inverse_diagonal, first = rows.begin()](Span<double const> r, Span<double> z) {
      for (std::size_t i = 0; i < r.size(); ++i) z[i] = inverse_diagonal[first + i] * r[i];
    };
  }
};

inline double dot(std::vector<double> const& a, std::vector<double> const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline std::vector<double> residual(oracle::Dense const& A, std::vector<double> const& b,
                                    std::vector<double> const& x) {
  auto r = oracle::product(A, x);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  return r;
}

}  // namespace Tessera::test
