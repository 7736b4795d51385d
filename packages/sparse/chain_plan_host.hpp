#pragma once
/// \file
/// What refreshes of a chain product keep on the host.
#include "sparse/formats/csr.hpp"

namespace Tessera::sparse {

template <class T, class Space>
struct ChainPlan;

/// Where each product of C = R (A B) goes, a byte each, for outer_product_host.hpp.
struct ProductPlaces {
  Index most_inner = 0;               ///< products that a row of A B is the sum of
  Array<unsigned char, Host> length;  ///< of the rows of A B
  Array<Index, Host> first_inner;     ///< of each row of A B, and the end
  Array<unsigned char, Host>
      inner;                       ///< each product of A with B, row by row of A: its place in the row of A B
  Array<Index, Host> first_outer;  ///< of each row of P = R^T, and the end
  Array<unsigned char, Host>
      outer;  ///< each product of P with A B, row by row of P: its place in the row of C
  /// Those of entry k of row i of P.
  unsigned char const* outer_of(Index i, Index k) const {
    return outer.data() + first_outer[i] + k * length[i];
  }
  unsigned char* outer_of(Index i, Index k) { return outer.data() + first_outer[i] + k * length[i]; }
  bool empty() const { return first_outer.empty(); }
  std::size_t bytes() const {
    return length.bytes() + first_inner.bytes() + inner.bytes() + first_outer.bytes() + outer.bytes();
  }
};

/// The first refresh finds the places: setups do not need them and are not to pay for them.
template <class T>
struct ChainPlan<T, Host> {
  Csr<T, Host> inner;    ///< pattern of A B; expand-sort-compress only
  bool decided = false;  ///< whether there are to be places
  ProductPlaces places;  ///< empty: A B is made anew
  std::size_t bytes() const { return inner.bytes() + places.bytes(); }
};

}  // namespace Tessera::sparse
