#pragma once
/// \file
/// Matrices that are stored for products in an archive.
#include "sparse/archive.hpp"
#include "sparse/convert.hpp"
#include "sparse/formats/unpacked.hpp"

namespace Tessera::sparse {

/// Saves what of a rows x columns matrix is stored (unpacked.hpp), as CSR, with values in T. Loads it with
/// values in double, which are those of T, so that whatever is stored of it again has the same entries.
template <class T, class Space>
void archive_stored(core::Archive& file, Space const& space, SplitRows<T, Space> const* stored, Index rows,
                    Index columns, Csr<double, Space>& loaded) {
  if (file.saves()) {
    auto A = unpacked(space, *stored, rows, columns);
    return archive(file, Host{}, A, rows, columns);
  }
  Csr<T, Space> A;
  archive(file, space, A, rows, columns);
  loaded = {A.rows, A.columns, std::move(A.offsets), std::move(A.column),
            Array<double, Space>(space, A.value.size())};
  convert(space, A.value.view(), loaded.value.span());
}

}  // namespace Tessera::sparse
