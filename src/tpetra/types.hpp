#pragma once
/// \file
/// The one choice of Tpetra's template arguments for what Tessera compiles ahead of time.
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrix.hpp>

namespace Tessera::tpetra {

using Scalar = double;
using LocalOrdinal = int;
using GlobalOrdinal = long long;  ///< what Debian's Trilinos instantiates
using Node = ::Tpetra::Map<>::node_type;

using Map = ::Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>;
using Import = ::Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>;
using RowMatrix = ::Tpetra::RowMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
using CrsMatrix = ::Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
using CrsGraph = ::Tpetra::CrsGraph<LocalOrdinal, GlobalOrdinal, Node>;
using MultiVector = ::Tpetra::MultiVector<Scalar, LocalOrdinal, GlobalOrdinal, Node>;

}  // namespace Tessera::tpetra
