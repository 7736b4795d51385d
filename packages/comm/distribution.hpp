#pragma once
/// \file
/// Ownership of rows: contiguous ranges in rank order.
#include <vector>

#include "comm/communicator.hpp"
#include "core/types.hpp"

namespace Tessera::comm {

/// Row i of this rank is global row begin() + i. A rank may own no rows. src/tpetra converts from the user's
/// numbering.
class Distribution {
 public:
  Distribution() = default;
  /// owned: number of rows of this rank. All ranks fail or none, so that an exchange may follow without an
  /// agreement, unless code in between can fail. Collective.
  Distribution(Communicator const& comm, Index owned);

  /// The distribution with each row replaced by `width` rows.
  Distribution multiplied(int width) const;
  /// The distribution with `width` rows combined to one; every rank owns a multiple of `width`.
  Distribution divided(int width) const;
  /// The distribution with the rows of each `group` ranks on the first of them.
  Distribution gathered(int group) const;

  Communicator const& comm() const { return comm_; }
  Index local_size() const { return static_cast<Index>(end() - begin()); }
  GlobalIndex global_size() const { return offsets_.back(); }
  GlobalIndex begin() const { return offsets_[comm_.rank()]; }
  GlobalIndex end() const { return offsets_[comm_.rank() + 1]; }
  GlobalIndex begin(int rank) const { return offsets_[rank]; }
  bool owns(GlobalIndex i) const { return begin() <= i && i < end(); }
  int owner(GlobalIndex i) const;
  /// Number of ranks that own rows.
  int active_ranks() const;
  /// Whether at most one rank owns rows; the same on all ranks.
  bool on_one_rank() const { return active_ranks() <= 1; }
  /// Whether at most one rank owns rows of either distribution.
  bool on_one_rank_with(Distribution const& other) const;
  /// Whether each rank owns as many rows as in `other`; the same on all ranks.
  bool same_rows(Distribution const& other) const { return offsets_ == other.offsets_; }

 private:
  Communicator comm_;
  std::vector<GlobalIndex> offsets_{0, 0};  ///< size + 1
};

}  // namespace Tessera::comm
