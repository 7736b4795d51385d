#include "galerkin/prolongator_body.hpp"
#include "galerkin/prolongator_host.hpp"

namespace Tessera::galerkin {

template comm::DistCsr<double, Host> prolongator_symbolic(Host const&, comm::DistCsr<double, Host> const&,
                                                          Span<unsigned char const>,
                                                          Span<unsigned char const>, Tentative<Host> const&);
template void prolongator_numeric(Host const&, comm::DistCsr<double, Host> const&, Span<unsigned char const>,
                                  Span<unsigned char const>, Span<double const>, Tentative<Host> const&,
                                  double, comm::DistCsr<double, Host>&);

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

}  // namespace Tessera::galerkin
