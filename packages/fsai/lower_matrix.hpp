#pragma once
/// \file
/// Construction of LowerRows from a distributed matrix.
#include <limits>
#include <vector>

#include "comm/ghost_rows.hpp"
#include "fsai/parameters.hpp"
#include "fsai/pattern.hpp"

namespace Tessera::fsai {

/// Positions of rows in the order in which G is triangular, and their local indices: owned rows first, then
/// ghost rows.
struct Numbering {
  Index owned = 0, ghosts = 0;
  Span<Index const> number_at, position_of;  ///< empty: ghost rows come first, in ascending order
  TESSERA_HD Index number(Index position) const {
    if (!number_at.empty()) return number_at[position];
    return position < ghosts ? owned + position : position - ghosts;
  }
  TESSERA_HD Index position(Index number) const {
    if (!position_of.empty()) return position_of[number];
    return number < owned ? ghosts + number : number - owned;
  }
};

/// The rows of A that this rank's part of G depends on, in the order in which G is triangular: owned rows and
/// the ghost rows that patterns can reach. On one rank in natural order, this is A itself if its columns
/// ascend.
template <class Space>
class LowerMatrix {
 public:
  LowerMatrix() = default;
  /// A must outlive the view until release_rows(). halved: only rows of the first half of the classes of the
  /// random order may be columns of G. Collective.
  LowerMatrix(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
              bool halved = false);

  /// False for a default-constructed object.
  bool is_set_up() const { return is_set_up_; }
  /// Takes new values of A on the same pattern. Collective; release_rows() frees all memory that it
  /// allocates.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A);
  /// Frees the rows that refresh() rebuilds.
  void release_rows();

  LowerRows view() const;
  Numbering numbering() const {
    return {owned_, static_cast<Index>(ghosts_.size()), number_at_.view(), position_of_.view()};
  }
  /// Global indices of the ghost rows, ascending.
  std::vector<GlobalIndex> const& ghosts() const { return ghosts_; }
  std::size_t bytes() const {
    return own_.bytes() + ghost_halo_.bytes() + extended_.bytes() + number_at_.bytes() + position_of_.bytes();
  }

 private:
  void order(Space const& space, comm::Distribution const& rows, bool halved);
  void assemble_rows(Space const& space, comm::DistCsr<double, Space> const& A);

  bool is_set_up_ = false;
  Index owned_ = 0;
  Index columns_ = std::numeric_limits<Index>::max();  ///< LowerRows::columns
  std::vector<GlobalIndex> ghosts_;
  Array<Index, Space> number_at_, position_of_;  ///< see Numbering
  bool has_ghosts_ = false;                      ///< some rank has ghost rows
  comm::HaloPlan<Space> ghost_halo_;
  comm::ExtendedRows<double, Space> extended_;
  sparse::Csr<double, Space> own_;
  sparse::CsrView<double> view_;
};

}  // namespace Tessera::fsai
