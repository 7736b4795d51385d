#pragma once
/// \file
/// New values of R (A B), R = P^T, as a sum of outer products of rows: nothing of A B is stored.
#include <vector>

#include "sparse/chain_plan_host.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::sparse::outer {

/// A thread's rows of C, and the rows of A B that it sums for them: those from first to last in which P has
/// entries there. What two parts need, both sum.
struct Part {
  Index begin, end;
  Index first, last;
};

/// As many as there are threads, with equal numbers of entries of R; none where they would have too many rows
/// of A B in common, as without any order in the numbering.
template <class T>
std::vector<Part> parts(CsrView<T> R);

/// The places of all products; C: the pattern of R (A B). Empty where a row of A B or of C has more entries
/// than a byte can number, there are 2^31 products or a thread's table of columns would be too large.
/// \throws core::OutOfMemory
template <class T>
ProductPlaces places(Host const& space, CsrView<T> P, Transposed<T, Host> const& R, CsrView<T> A,
                     CsrView<T> B, CsrView<T> C);

/// The values. C(I,:) = sum over i, ascending, of P(i,I) (A B)(i,:): row i of A B is summed in the first
/// cache, in A's order, then added to the rows of C in which row i of P has entries; these are few, and near,
/// where numberings follow the mesh. So every sum is bitwise that of two products, for any parts. Of B, only
/// offsets and values are read.
template <class T>
void multiply(std::vector<Part> const& parts, CsrView<T> P, CsrView<T> A, CsrView<T> B,
              ProductPlaces const& places, Csr<T, Host>& C);

}  // namespace Tessera::sparse::outer
