#pragma once
/// \file
/// How LowerRows come about.
#include <vector>

#include "comm/ghost_rows.hpp"
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// The rows that this rank's part of G is made of, in ascending global order: those of other ranks that
/// patterns can reach, then its own. On one rank that is A itself, unless A's columns do not ascend.
template <class Space>
class LowerMatrix {
 public:
  LowerMatrix() = default;
  /// Collective. A must stay where it is until return_rows.
  LowerMatrix(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters);

  /// New values of A, same pattern. Collective; allocates nothing that outlasts return_rows.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A);
  /// Gives back what refresh makes anew.
  void return_rows();

  LowerRows view() const { return {view_, static_cast<Index>(ghosts_.size())}; }
  /// The rows of other ranks, by global index.
  std::vector<GlobalIndex> const& ghosts() const { return ghosts_; }
  std::size_t bytes() const { return own_.bytes() + wanted_.bytes() + extended_.bytes(); }

 private:
  void arrange(Space const& space, comm::DistCsr<double, Space> const& A);

  std::vector<GlobalIndex> ghosts_;
  bool has_ghosts_ = false;  ///< on some rank
  comm::HaloPlan<Space> wanted_;
  comm::ExtendedRows<double, Space> extended_;
  sparse::Csr<double, Space> own_;
  sparse::CsrView<double> view_;
};

}  // namespace Tessera::fsai
