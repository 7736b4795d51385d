#pragma once
/// \file
/// Distributions, and matrices that every rank can build whole, so that each rank knows the answers.
#include <algorithm>
#include <vector>

#include "comm/dist_csr.hpp"
#include "core/hash.hpp"
#include "support/world.hpp"

namespace Tessera::test {

inline comm::Communicator world(comm::Overlap overlap) {
  auto const comm = world();
  comm.choose_overlap(overlap, comm::mpi_thread_level());
  return comm;
}
constexpr comm::Overlap all_overlaps[] = {comm::Overlap::automatic, comm::Overlap::none, comm::Overlap::naive,
                                          comm::Overlap::task};

/// Rows by rank: equal; unequal; only on the last rank; only on odd ranks; none.
enum class Share { equal, unequal, last_only, odd_only, none };
constexpr Share all_shares[] = {Share::equal, Share::unequal, Share::last_only, Share::odd_only, Share::none};

inline comm::Distribution share_rows(comm::Communicator const& comm, Share share, Index about) {
  int const r = comm.rank();
  Index owned = 0;
  switch (share) {
    case Share::equal:
      owned = about;
      break;
    case Share::unequal:
      owned = (r * 7 + 3) % 5 == 0 ? 0 : about * ((r * 7 + 3) % 5) / 2;
      break;
    case Share::last_only:
      owned = r + 1 == comm.size() ? about : 0;
      break;
    case Share::odd_only:
      owned = r % 2 == 1 ? about : 0;
      break;
    case Share::none:
      break;
  }
  return {comm, owned};
}

/// A dense matrix, row-major.
struct Dense {
  GlobalIndex rows = 0, columns = 0;
  std::vector<double> value;
  double operator()(GlobalIndex i, GlobalIndex j) const { return value[i * columns + j]; }
};

/// About one entry in `spacing` is not zero; all diagonal entries are not zero.
inline Dense random_dense(GlobalIndex rows, GlobalIndex columns, int seed, int spacing = 4) {
  Dense A{rows, columns, std::vector<double>(rows * columns, 0.0)};
  for (GlobalIndex k = 0; k < rows * columns; ++k) {
    bool const diagonal = k / columns == k % columns;
    if (diagonal || core::mix64(k * 31 + seed) % spacing == 0) A.value[k] = core::uniform(k, seed);
  }
  return A;
}

/// Entries of a row stand in descending order of columns, so that tests see whether the order is kept.
template <class T = double>
comm::DistCsr<T, Host> distributed(Dense const& A, comm::Distribution const& rows,
                                   comm::Distribution const& columns) {
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<T> value;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    for (auto j = A.columns; j-- > 0;) {
      if (A(i, j) == 0) continue;
      column.push_back(j);
      value.push_back(static_cast<T>(A(i, j)));
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, columns, offsets, column, value);
}

/// This rank's rows of the product, summed in the order of distributed().
template <class T = double>
std::vector<T> product(Dense const& A, comm::Distribution const& rows, std::vector<T> const& x) {
  std::vector<T> y;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    T sum = 0;
    for (auto j = A.columns; j-- > 0;) {
      if (A(i, j) != 0) sum += static_cast<T>(A(i, j)) * x[j];
    }
    y.push_back(sum);
  }
  return y;
}

/// A matrix for several threads and blocks of reductions: 12000 rows on each rank, symmetric, with a dominant
/// diagonal entry first in each row, and couplings to the rows 1, 37 and 5000 away.
inline comm::DistCsr<double, Host> long_matrix(comm::Communicator const& comm) {
  comm::Distribution const rows(comm, 12000);
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    column.push_back(i);
    value.push_back(7);
    for (GlobalIndex const distance : {1, 37, 5000}) {
      for (auto const j : {i - distance, i + distance}) {
        if (j < 0 || j >= rows.global_size()) continue;
        column.push_back(j);
        value.push_back(core::uniform(std::min(i, j), distance));
      }
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, rows, offsets, column, value);
}

template <class T = double>
std::vector<T> random_vector(GlobalIndex n, int seed) {
  std::vector<T> x(n);
  for (GlobalIndex i = 0; i < n; ++i) x[i] = static_cast<T>(core::uniform(i, seed));
  return x;
}

/// The owned part of a global vector.
template <class T>
std::vector<T> owned_part(comm::Distribution const& distribution, std::vector<T> const& whole,
                          int width = 1) {
  return {whole.begin() + distribution.begin() * width, whole.begin() + distribution.end() * width};
}

template <class T>
Span<T const> view(std::vector<T> const& x) {
  return {x.data(), x.size()};
}
template <class T>
Span<T> span(std::vector<T>& x) {
  return {x.data(), x.size()};
}

}  // namespace Tessera::test
