#pragma once
/// \file
/// The inspection on CUDA, as a row product whose terms are what an entry tells. What a row adds to the
/// reduction is written down first.
#include "comm/inspection_body.hpp"
#include "core/reduce_into.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::comm {

/// Sums that are the same in any order: of integers, and of zeros but for one entry.
struct HashAndDiagonal {
  std::uint64_t hash = 0;
  double diagonal = 0;  ///< with the poison of all entries
  TESSERA_HD HashAndDiagonal& operator+=(HashAndDiagonal const& other) {
    hash += other.hash;
    diagonal += other.diagonal;
    return *this;
  }
};
using InspectedEntries = sparse::PartlyOrdered<double, HashAndDiagonal>;  ///< the first of absolute values

struct InspectEntry {
  EntryHash hash;
  TESSERA_HD InspectedEntries term(Index i, Offset, double a, Index c) const {
    return {fabs(a), {hash.of_entry(hash.of_row(i), c, a), (c == i ? a : 0.0) + a * 0.0}};
  }
};

struct StoreFindings {
  InspectBody of;
  RowFindings* found;
  TESSERA_HD void operator()(Index i, InspectedEntries const& entries) const {
    found[i] = of.finish({i, 0, entries.rest.hash, entries.ordered, entries.rest.diagonal});
  }
};

inline void inspect_rows(Cuda const& space, Index rows, InspectBody const& body, RowFindings* found) {
  Array<RowFindings, Cuda> of_row(space, rows);
  core::ReduceScratch<Cuda> scratch(space, rows, sizeof(RowFindings));
  sparse::for_each_row_product(space, body.A, InspectEntry{body.hash}, StoreFindings{body, of_row.data()});
  core::reduce_into(space, rows, core::fixed_tree::Load<RowFindings>{of_row.data()}, JoinFindings{},
                    RowFindings{}, core::StoreResult<RowFindings>{found}, scratch);
}

}  // namespace Tessera::comm
