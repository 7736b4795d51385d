#pragma once
/// \file
/// Which rank owns which rows: contiguous ranges, in rank order.
#include <vector>

#include "comm/communicator.hpp"
#include "core/types.hpp"

namespace Tessera::comm {

/// Row i of this rank is global row begin() + i. The user's numbering, whatever it is, ends at the border
/// (src/tpetra); any rank may own nothing.
class Distribution {
 public:
  Distribution() = default;
  /// Collective: every rank gives how many rows it owns. Fails on all ranks or on none: exchanges that follow
  /// need no agreement unless something comes between that can fail.
  Distribution(Communicator const& comm, Index owned);

  /// Each row as `width` of them.
  Distribution multiplied(int width) const;
  /// `width` rows as one; every rank owns a multiple of that.
  Distribution divided(int width) const;
  /// The rows of each `group` ranks on the first of these.
  Distribution gathered(int group) const;

  Communicator const& comm() const { return comm_; }
  Index local_size() const { return static_cast<Index>(end() - begin()); }
  GlobalIndex global_size() const { return offsets_.back(); }
  GlobalIndex begin() const { return offsets_[comm_.rank()]; }
  GlobalIndex end() const { return offsets_[comm_.rank() + 1]; }
  GlobalIndex begin(int rank) const { return offsets_[rank]; }
  bool owns(GlobalIndex i) const { return begin() <= i && i < end(); }
  int owner(GlobalIndex i) const;
  /// How many ranks own rows.
  int active_ranks() const;
  /// Whether there is one at most; the same on all.
  bool on_one_rank() const { return active_ranks() <= 1; }
  /// Whether that one has the other rows, too.
  bool on_one_rank_with(Distribution const& other) const;
  /// Whether each rank owns as many rows as here: every rank knows that of all.
  bool same_rows(Distribution const& other) const { return offsets_ == other.offsets_; }

 private:
  Communicator comm_;
  std::vector<GlobalIndex> offsets_{0, 0};  ///< size + 1
};

}  // namespace Tessera::comm
