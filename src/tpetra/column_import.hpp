#pragma once
/// \file
/// How vectors on a matrix' domain map come to its column map.
#include <Tpetra_Import.hpp>

#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Null where the maps are the same. Collective.
inline Teuchos::RCP<Import const> column_import(RowMatrix const& A) {
  auto const domain = A.getDomainMap();
  auto const column_map = A.getColMap();
  if (domain->isSameAs(*column_map)) return Teuchos::null;
  // Other row matrices may have no graph (a null pointer, or an exception), or hand out that of a matrix that
  // they restrict (Ifpack2::LocalFilter), with its Import.
  if (auto const* crs = dynamic_cast<CrsMatrix const*>(&A)) {
    auto const import = crs->getGraph()->getImporter();
    if (!import.is_null() && import->getSourceMap()->isSameAs(*domain) &&
        import->getTargetMap()->isSameAs(*column_map)) {
      return import;
    }
  }
  return Teuchos::rcp(new Import(domain, column_map));
}

}  // namespace Tessera::tpetra
