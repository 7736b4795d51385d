#pragma once
/// \file
/// The distributed matrix: the only one that the layers above see.
#include <functional>

#include "comm/halo_plan.hpp"
#include "sparse/csr.hpp"

namespace Tessera::comm {

/// Rows of this rank. Columns below columns().local_size() are owned, the others are ghosts of halo in its
/// order: column c is ghost c - columns().local_size(). docs/decisions/0001 says why owned and ghost entries
/// share one Csr.
template <class T, class Space>
struct DistCsr {
  Distribution rows;
  HaloPlan<Space> halo;  ///< of the columns
  sparse::Csr<T, Space> local;
  /// What the user calls an owned row, for messages; empty: its global index.
  std::function<GlobalIndex(Index)> user_row = nullptr;

  Distribution const& columns() const { return halo.distribution(); }
  std::size_t bytes() const { return local.bytes() + halo.bytes(); }
  GlobalIndex row_name(Index i) const { return user_row ? user_row(i) : rows.begin() + i; }
};

/// A copy in another space. Collective.
template <class T, class From, class Target>
DistCsr<T, Target> copied(From const& from, DistCsr<T, From> const& A, Target const& to);

/// Number of entries among all ranks. Collective.
template <class T, class Space>
GlobalIndex global_nonzeros(DistCsr<T, Space> const& A);

/// The global index of each local column, ghosts included, on the host.
template <class Space>
std::vector<GlobalIndex> global_columns(HaloPlan<Space> const& halo);

/// Assembles a distributed matrix from rows with global column indices (host): the ghosts are found, the
/// columns renumbered. Collective. Entries keep their order within rows. \throws core::InvalidInput on every
/// rank when the arrays of one do not fit together or name a column that does not exist
template <class T>
DistCsr<T, Host> from_global(Distribution const& rows, Distribution const& columns,
                             std::vector<Offset> const& offsets, std::vector<GlobalIndex> const& column,
                             std::vector<T> const& value);

/// y = A x, for setups and checks (cycles use dist_matrix.hpp). x, y: owned entries only. Collective.
template <class T, class Space>
void multiply(Space const& space, DistCsr<T, Space> const& A, Span<T const> x, Span<T> y);

}  // namespace Tessera::comm
