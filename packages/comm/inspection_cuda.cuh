#pragma once
/// \file
/// The inspection on CUDA, as a row product whose terms are what an entry tells. What a row adds to the
/// reduction is written down first.
#include "comm/inspection_body.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::comm {

struct InspectedEntries {
  std::uint64_t hash = 0;
  double absolute = 0, diagonal = 0;  ///< the second with the poison of all entries
  TESSERA_HD InspectedEntries& operator+=(InspectedEntries const& other) {
    hash += other.hash;
    absolute += other.absolute;
    diagonal += other.diagonal;
    return *this;
  }
};

struct InspectEntry {
  EntryHash hash;
  TESSERA_HD InspectedEntries term(Index i, Offset, double a, Index c) const {
    return {hash.of_entry(hash.of_row(i), c, a), fabs(a), (c == i ? a : 0.0) + a * 0.0};
  }
};

struct StoreFindings {
  InspectBody of;
  RowFindings* found;
  TESSERA_HD void operator()(Index i, InspectedEntries const& entries) const {
    found[i] = of.finish({i, 0, entries.hash, entries.absolute, entries.diagonal});
  }
};

inline RowFindings inspect_rows(Cuda const& space, Index rows, InspectBody const& body) {
  Array<RowFindings, Cuda> found(space, rows);
  sparse::for_each_row_product(space, body.A, InspectEntry{body.hash}, StoreFindings{body, found.data()});
  return core::reduce(space, rows, core::fixed_tree::Load<RowFindings>{found.data()}, JoinFindings{},
                      RowFindings{});
}

}  // namespace Tessera::comm
