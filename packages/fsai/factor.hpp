#pragma once
/// \file
/// One factor G, and the data that a refresh reuses.
#include <string>

#include "comm/archive.hpp"
#include "core/timer.hpp"
#include "fsai/fsai.hpp"
#include "fsai/lower_matrix.hpp"
#include "fsai/parameters.hpp"

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

  /// Saves or loads all but the rows of A, which a refresh rebuilds, and the parameters. Loading is
  /// collective.
  void archive(core::Archive& file, Space const& space, comm::Communicator const& comm) {
    auto& [settings, half, smallest, rows, before, kept, cut, bound, factor, bytes, times] = *this;
    file(cut, bound, bytes);
    before.archive(file, space);
    file.array(space, kept);
    comm::archive(file, space, comm, factor);
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
