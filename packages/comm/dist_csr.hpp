#pragma once
/// \file
/// The distributed matrix of all packages above comm, and its copy on the host.
#include <functional>
#include <vector>

#include "comm/halo_plan.hpp"
#include "sparse/csr.hpp"

namespace Tessera::comm {

/// The rows of this rank. Columns below columns().local_size() are owned; column c above is ghost
/// c - columns().local_size() of the halo. docs/decisions/0001 gives the reason for one Csr of owned and
/// ghost entries.
template <class T, class Space>
struct DistCsr {
  Distribution rows;
  HaloPlan<Space> halo;  ///< of the columns
  sparse::Csr<T, Space> local;
  /// The user's name of an owned row, for messages; null: its global index.
  std::function<GlobalIndex(Index)> user_row = nullptr;

  Distribution const& columns() const { return halo.distribution(); }
  std::size_t bytes() const { return local.bytes() + halo.bytes(); }
  GlobalIndex row_name(Index i) const { return user_row ? user_row(i) : rows.begin() + i; }
};

/// Host copy of the entries of a distributed matrix on this rank, for files and pictures. Several ranks may
/// have entries of one row.
struct HostMatrix {
  GlobalIndex rows = 0, columns = 0;     ///< global numbers
  std::vector<GlobalIndex> row, column;  ///< global indices of the rows and columns of `local`
  sparse::Csr<double, Host> local;
};

/// A copy in another space. Collective.
template <class T, class From, class Target>
DistCsr<T, Target> copied(From const& from, DistCsr<T, From> const& A, Target const& to) {
  return {A.rows, HaloPlan<Target>(to, A.columns(), A.halo.ghosts()), sparse::copied<T>(from, A.local, to),
          A.user_row};
}

/// Number of entries on all ranks. Collective.
template <class T, class Space>
GlobalIndex global_nonzeros(DistCsr<T, Space> const& A);

/// The global index of each local column, ghosts included, on the host.
template <class Space>
std::vector<GlobalIndex> global_columns(HaloPlan<Space> const& halo);

/// Assembles a distributed matrix on the host from rows with global column indices: finds the ghosts, and
/// renumbers the columns. Entries keep their order within rows. Collective.
/// \throws core::InvalidInput on every rank if the array sizes of one rank do not match, or if a column does
/// not exist
template <class T>
DistCsr<T, Host> from_global(Distribution const& rows, Distribution const& columns,
                             std::vector<Offset> const& offsets, std::vector<GlobalIndex> const& column,
                             std::vector<T> const& value);

/// y = A x on owned entries, for setups and checks (cycles use dist_matrix.hpp). Collective.
template <class T, class Space>
void multiply(Space const& space, DistCsr<T, Space> const& A, Span<T const> x, Span<T> y);

}  // namespace Tessera::comm
