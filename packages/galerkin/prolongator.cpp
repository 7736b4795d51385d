#include "galerkin/prolongator_body.hpp"
#include "galerkin/prolongator_refresh_host.hpp"
#include "galerkin/prolongator_scalar_host.hpp"

namespace Tessera::galerkin {

template comm::DistCsr<double, Host> prolongator_symbolic(Host const&, comm::DistCsr<double, Host> const&,
                                                          Span<unsigned char const>,
                                                          Span<unsigned char const>, Tentative<Host> const&);
template void prolongator_numeric(Host const&, comm::DistCsr<double, Host> const&, Span<unsigned char const>,
                                  Span<unsigned char const>, Span<double const>, Tentative<Host> const&,
                                  Damping, comm::DistCsr<double, Host>&);

template <>
comm::DistCsr<double, Host> prolongator(Host const& space, comm::DistCsr<double, Host> const& A,
                                        Span<unsigned char const> strong, Span<unsigned char const> lumped,
                                        Span<double const> diagonal, Tentative<Host> const& T, double omega) {
  OwnAggregates<Host> const own(T);
  auto const of_ghost = aggregates_of_ghosts(space, A.halo, T);
  auto const foreign = foreign_aggregates(space, T, of_ghost);
  Array<double, Host> ghost(space, static_cast<std::size_t>(A.halo.ghost_count()) * T.vectors);
  A.halo.exchange(space, T.value.view(), ghost.span(), T.vectors);
  comm::DistCsr<double, Host> P;
  P.rows = A.rows;
  comm::together(A.rows.comm(), [&] {
    auto const below = std::lower_bound(foreign.begin(), foreign.end(), own.begin) - foreign.begin();
    auto const local = local_aggregates(space, A.local.rows, T, of_ghost, foreign);
    P.local = prolongator_rows(space, {A.local.view(),
                                       {strong, lumped},
                                       diagonal,
                                       local.view(),
                                       T.value.view(),
                                       ghost.view(),
                                       {own.size(), static_cast<Index>(below)},
                                       own.size() + static_cast<Index>(foreign.size()),
                                       T.equations,
                                       T.vectors,
                                       omega});
  });
  P.halo = columns_halo(space, T, foreign);
  return P;
}

template <>
void plan_prolongator(Host const& space, comm::DistCsr<double, Host> const& A,
                      Span<unsigned char const> strong, Span<unsigned char const> lumped,
                      Tentative<Host> const& T, comm::DistCsr<double, Host> const& P,
                      ProlongatorPlan<Host>& plan) {
  plan = prolongator_plan(space, A, {strong, lumped}, T, P);
}

template <>
void refresh_prolongator(Host const& space, comm::DistCsr<double, Host> const& A,
                         Span<unsigned char const> strong, Span<unsigned char const> lumped,
                         Span<double const> diagonal, Tentative<Host> const& T, Damping omega,
                         ProlongatorPlan<Host>& plan, comm::DistCsr<double, Host>& P) {
  if (!plan.decided) plan_prolongator(space, A, strong, lumped, T, P, plan);
  if (!plan.has_places) return prolongator_numeric(space, A, strong, lumped, diagonal, T, omega, P);
  std::size_t const stretches =
      (std::int64_t{A.local.rows} + RefreshRows::stretch - 1) / RefreshRows::stretch;
  core::for_each_heavy(
      space, stretches,
      RefreshRows{A.local.view(), diagonal, T.value.view(), plan.ghost.view(), plan.place.view(),
                  plan.home.view(), omega(), P.local.view(), P.local.value.span()});
}

}  // namespace Tessera::galerkin
