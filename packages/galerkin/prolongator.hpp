#pragma once
/// \file
/// The smoothed prolongator P = (I - omega D_F^-1 A_F) T as a specialised product.
#include "galerkin/damping.hpp"
#include "galerkin/filter.hpp"
#include "galerkin/tentative.hpp"

namespace Tessera::galerkin {

/// The pattern of P, values allocated: in row i the aggregates of vertex i and of its neighbours in A_F. The
/// rows of a vertex share one pattern, and an aggregate has all its columns. Columns are stored in ascending
/// order of their global index, wherever their owner is (so their local numbers need not ascend), so that
/// sums over a row do not depend on how the columns are split over ranks. A vertex without an aggregate
/// (isolated or Dirichlet) has empty rows: it is left to the smoother. Collective.
template <class Space>
comm::DistCsr<double, Space> prolongator_symbolic(Space const& space, comm::DistCsr<double, Space> const& A,
                                                  Span<unsigned char const> strong,
                                                  Span<unsigned char const> lumped,
                                                  Tentative<Space> const& T);

/// The values of P: row i is T_i - omega / d_i sum_j (A_F)_ij T_j, sums in A's storage order; diagonal is
/// D_F, which stands on the diagonal of A_F as well. omega = 0 gives P = T on that pattern. lumped is what
/// prolongator_symbolic saw. Collective.
template <class Space>
void prolongator_numeric(Space const& space, comm::DistCsr<double, Space> const& A,
                         Span<unsigned char const> strong, Span<unsigned char const> lumped,
                         Span<double const> diagonal, Tentative<Space> const& T, Damping omega,
                         comm::DistCsr<double, Space>& P);

/// Both, on the host in one pass; bitwise what they give. Collective.
template <class Space>
comm::DistCsr<double, Space> prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                                         Span<unsigned char const> strong, Span<unsigned char const> lumped,
                                         Span<double const> diagonal, Tentative<Space> const& T,
                                         double omega);

/// What refresh_prolongator keeps: nothing. The host has its own.
template <class Space>
struct ProlongatorPlan {
  std::size_t bytes() const { return 0; }
};

/// For one equation and one vector.
template <>
struct ProlongatorPlan<Host> {
  bool decided = false, has_places = false;  ///< the same on all ranks
  Array<unsigned char, Host>
      place;  ///< of each entry of A: its aggregate's in the row of P; behind it: dropped
  Array<unsigned char, Host> home;  ///< of each row: its own aggregate's
  Array<double, Host> ghost;        ///< T's rows of A's ghosts
  std::size_t bytes() const { return place.bytes() + home.bytes() + ghost.bytes(); }
};

/// Makes the plan, which the first refresh_prolongator does otherwise. Collective.
template <class Space>
void plan_prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                      Span<unsigned char const> strong, Span<unsigned char const> lumped,
                      Tentative<Space> const& T, comm::DistCsr<double, Space> const& P,
                      ProlongatorPlan<Space>& plan);

/// What prolongator_numeric gives, bitwise, where nothing but values of A, diagonal and omega has changed
/// since the plan was made. Collective.
template <class Space>
void refresh_prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                         Span<unsigned char const> strong, Span<unsigned char const> lumped,
                         Span<double const> diagonal, Tentative<Space> const& T, Damping omega,
                         ProlongatorPlan<Space>& plan, comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
