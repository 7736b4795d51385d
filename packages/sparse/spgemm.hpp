#pragma once
/// \file
/// C = A B for matrices of this rank, symbolic and numeric phases apart.
#include "sparse/chain_plan_host.hpp"
#include "sparse/entry_places.hpp"
#include "sparse/formats/csr.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::sparse {

enum class SpgemmMethod {
  hash,  ///< rows binned by size, one hash table a row
  esc  ///< expand, sort, compress (Bell, Dalton, Olson 2012, section 4.3), in row slices of bounded workspace
};

/// What a setup leaves for refreshes, which bring new values on the same patterns.
enum class RefreshPreparation {
  none,      ///< nothing: new values mean a new setup
  patterns,  ///< decisions and patterns; the first refresh finds and takes whatever else later ones need
  all        ///< that too, so that the first refresh is like later ones
};

/// The pattern of A B: columns sorted ascending in each row; structural zeros are kept; value is allocated,
/// not set. \throws core::InvalidInput when A.columns != B.rows
template <class T, class Space>
Csr<T, Space> spgemm_symbolic(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method);

/// The values of A B into C, whose pattern spgemm_symbolic made (or contains A B's). Allocates nothing that
/// lasts. Every entry is the sum over k in A's storage order, as Gustavson's loop adds it, so both methods
/// and both back ends agree bitwise.
template <class T, class Space>
void spgemm_numeric(Space const& space, CsrView<T> A, CsrView<T> B, Csr<T, Space>& C, SpgemmMethod method);

/// Both phases, on the host in one pass; bitwise what they give.
template <class T, class Space>
Csr<T, Space> spgemm(Space const& space, CsrView<T> A, CsrView<T> B,
                     SpgemmMethod method = SpgemmMethod::hash);

/// What refresh_chain keeps besides its matrices. The host has its own.
template <class T, class Space>
struct ChainPlan {
  Csr<T, Space> inner;   ///< pattern of A B without values, where it is worth keeping
  bool decided = false;  ///< whether there are to be places
  EntryPlaces<Space> inner_places, outer_places;  ///< of A B and of R (A B), likewise
  std::size_t bytes() const { return inner.bytes() + inner_places.bytes() + outer_places.bytes(); }
};

/// R (A B), and what refresh_chain needs.
template <class T, class Space>
struct ChainProduct {
  Csr<T, Space> product;
  ChainPlan<T, Space> plan;
};

/// R (A B) as two calls of spgemm give it, R = P^T. A B is given up before the product is brought together,
/// unless refreshes are prepared in all. \throws as spgemm_symbolic
template <class T, class Space>
ChainProduct<T, Space> spgemm_chain(Space const& space, CsrView<T> P, Transposed<T, Space> const& R,
                                    CsrView<T> A, CsrView<T> B, SpgemmMethod method,
                                    RefreshPreparation preparation);

/// New values of P = R^T, A and B on the same patterns into product, with what spgemm_chain kept: bitwise
/// what it would give. R's values may have been given back; they are brought where they are needed.
template <class T, class Space>
void refresh_chain(Space const& space, CsrView<T> P, Transposed<T, Space>& R, CsrView<T> A, CsrView<T> B,
                   SpgemmMethod method, ChainPlan<T, Space>& plan, Csr<T, Space>& product);

}  // namespace Tessera::sparse
