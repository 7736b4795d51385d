#pragma once
/// \file
/// G itself, and what a refresh keeps of its making.
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
  bool halved = false;           ///< only the first half of the random classes are columns
  double smallest_diagonal = 0;  ///< below which no row of A can be worked with
  LowerMatrix<Space> lower;
  Pattern<Space> pattern;            ///< before the postfilter
  Array<unsigned char, Space> keep;  ///< 0 for its entries that the postfilter drops
  GlobalIndex cut_rows = 0;          ///< of all ranks
  Index row_bound = largest_row;     ///< entries that its rows may have
  comm::DistCsr<double, Space> G;
  std::size_t workspace = 0;  ///< bytes that dense systems took at a time
  core::PhaseTimes phases;

  /// All but the rows of A, which a refresh takes anew, and what the list says. Collective when it loads.
  void archive(core::Archive& file, Space const& space, comm::Communicator const& comm) {
    auto& [told, half, smallest, rows, before, kept, cut, bound, made, needed, times] = *this;
    file(cut, bound, needed);
    before.archive(file, space);
    file.array(space, kept);
    comm::archive(file, space, comm, made);
  }
};

/// \throws core::InvalidInput for the first of the parameters that is out of its range
void validate(Parameters const& parameters);

/// Bernaschi et al. 2016, Algorithm 3.1, with growth between the solution and the filter. Collective; throws
/// the same on every rank: core::InvalidInput, core::NumericalError, core::OutOfMemory.
template <class Space>
void make_factor(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor);

/// New values on both patterns; G stays as it is when that throws. Collective.
template <class Space>
void refresh_factor(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor);

}  // namespace Tessera::fsai
