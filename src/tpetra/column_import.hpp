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
  // Row matrices that restrict another (Ifpack2::LocalFilter) hand out the other's graph and its Import.
  auto const import = A.getGraph()->getImporter();
  if (!import.is_null() && import->getSourceMap()->isSameAs(*domain) &&
      import->getTargetMap()->isSameAs(*column_map)) {
    return import;
  }
  return Teuchos::rcp(new Import(domain, column_map));
}

}  // namespace Tessera::tpetra
