#pragma once
/// \file
/// How LowerRows come about.
#include <limits>
#include <vector>

#include "comm/ghost_rows.hpp"
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// Places of rows in the order in which G is triangular, and their numbers on this rank: its own rows first,
/// then those of other ranks.
struct Numbering {
  Index owned = 0, others = 0;
  Span<Index const> number_at, place_of;  ///< empty: places of other ranks' rows come first, in their order
  TESSERA_HD Index number(Index place) const {
    if (!number_at.empty()) return number_at[place];
    return place < others ? owned + place : place - others;
  }
  TESSERA_HD Index place(Index number) const {
    if (!place_of.empty()) return place_of[number];
    return number < owned ? others + number : number - owned;
  }
};

/// The rows that this rank's part of G is made of, in the order in which it is triangular: its own and those
/// of other ranks that patterns can reach. In natural order on one rank that is A itself, unless A's columns
/// do not ascend.
template <class Space>
class LowerMatrix {
 public:
  LowerMatrix() = default;
  /// Collective. A must stay where it is until return_rows. halved: only rows of the first half of the
  /// classes of the random order may be columns of G.
  LowerMatrix(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
              bool halved = false);

  /// False of one that was default-constructed.
  bool is_made() const { return is_made_; }
  /// New values of A, same pattern. Collective; allocates nothing that outlasts return_rows.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A);
  /// Gives back what refresh makes anew.
  void return_rows();

  LowerRows view() const;
  Numbering numbering() const;
  /// The rows of other ranks, by global index.
  std::vector<GlobalIndex> const& ghosts() const { return ghosts_; }
  std::size_t bytes() const {
    return own_.bytes() + wanted_.bytes() + extended_.bytes() + number_at_.bytes() + place_of_.bytes();
  }

 private:
  void order(Space const& space, comm::Distribution const& rows, bool halved);
  void arrange(Space const& space, comm::DistCsr<double, Space> const& A);

  bool is_made_ = false;
  Index owned_ = 0;
  Index columns_ = std::numeric_limits<Index>::max();  ///< of LowerRows
  std::vector<GlobalIndex> ghosts_;
  Array<Index, Space> number_at_, place_of_;  ///< of Numbering
  bool has_ghosts_ = false;                   ///< on some rank
  comm::HaloPlan<Space> wanted_;
  comm::ExtendedRows<double, Space> extended_;
  sparse::Csr<double, Space> own_;
  sparse::CsrView<double> view_;
};

}  // namespace Tessera::fsai
