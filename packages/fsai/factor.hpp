#pragma once
/// \file
/// One factor G, and the data that a refresh reuses.
#include <algorithm>
#include <string>

#include "comm/archive.hpp"
#include "core/timer.hpp"
#include "fsai/lower_matrix.hpp"
#include "fsai/parameters.hpp"
#include "fsai/report.hpp"

namespace Tessera::fsai {

template <class Space>
struct Factor {
  Parameters parameters;
  bool halved = false;           ///< only rows of the first half of the random classes may be columns
  double smallest_diagonal = 0;  ///< least diagonal entry of A that the precision of G can invert
  LowerMatrix<Space> lower;
  Pattern<Space> pattern;            ///< before the postfilter
  Array<unsigned char, Space> keep;  ///< of each pattern entry: 0 where the postfilter drops it
  GlobalIndex cut_rows = 0;          ///< number of cut rows of all ranks
  Index row_bound = largest_row;     ///< largest number of entries of a pattern row
  comm::DistCsr<double, Space> G;
  std::size_t workspace = 0;  ///< largest memory in bytes that dense systems took at one time
  core::PhaseTimes phases;

  /// Saves or loads all members except the parameters and the rows of A, which a refresh rebuilds. of_A: the
  /// distribution of the rows of A. Loading is collective.
  void archive(core::Archive& file, Space const& space, comm::Distribution const& of_A) {
    auto& [settings, half, smallest, rows, before, kept, cut, bound, factor, bytes, times] = *this;
    file.part("a factor of FSAI");
    file(cut, bound, bytes);
    comm::require_same_on_ranks(file, of_A.comm(), cut, bound);
    file.require(cut >= 0 && bound >= 1 && bound <= largest_row, cut, " rows are cut to ", bound, " entries");
    before.archive(file, space, of_A.local_size());
    file.array(space, kept, [&](Span<unsigned char const> all) {
      core::require_size(file, all, pattern.column.size(), "marks of kept entries");
    });
    comm::archive(file, space, of_A, factor);
    if (!file.saves()) require_kept_entries(file, space);
  }

 private:
  /// Requires that each row of G has as many entries as the postfilter keeps.
  void require_kept_entries(core::Archive const& file, Space const& space) const {
    auto const offsets = core::to_vector(space, pattern.offsets.view());
    auto const marks = core::to_vector(space, keep.view());
    auto const of_G = core::to_vector(space, G.local.offsets.view());
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
      auto const size = offsets[r + 1] - offsets[r];
      auto const dropped = std::count(marks.begin() + offsets[r], marks.begin() + offsets[r + 1], 0);
      file.require(size >= 1 && size <= largest_row, "row ", r, " of a pattern has ", size, " entries");
      file.require(of_G[r + 1] - of_G[r] == size - dropped, "row ", r, " has ", of_G[r + 1] - of_G[r],
                   " entries, but the postfilter keeps ", size - dropped);
    }
  }
};

/// \throws core::InvalidInput for the first parameter that is out of range
void validate(Parameters const& parameters);

/// Computes a factor by Algorithm 3.1 of Bernaschi et al. 2016, with adaptive growth between the solution and
/// the postfilter. Collective; throws the same error on every rank.
/// \throws core::InvalidInput, core::NumericalError, core::OutOfMemory
template <class Space>
void make_factor(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor);

/// Computes new values on the patterns before and after the postfilter. An error leaves G unchanged.
/// Collective.
template <class Space>
void refresh_factor(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor);

}  // namespace Tessera::fsai
