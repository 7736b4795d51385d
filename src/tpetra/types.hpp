#pragma once
/// \file
/// The template arguments of Tpetra that Tessera compiles, names for the members that Trilinos renamed, and
/// the communicator.
#include <Teuchos_Comm.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <cstddef>

#include "comm/communicator.hpp"

/// function(x) is x.now(), or x.before() if T has no now(): the overload whose return type does not compile
/// drops out, and the int argument prefers the newer name if both exist. Trilinos 13.2 has getNode*, 14 and
/// later have getLocal*.
#define TESSERA_RENAMED(function, result, now, before)         \
  template <class T>                                           \
  auto function##_of(T const& x, int)->decltype(x.now()) {     \
    return x.now();                                            \
  }                                                            \
  template <class T>                                           \
  auto function##_of(T const& x, long)->decltype(x.before()) { \
    return x.before();                                         \
  }                                                            \
  template <class T>                                           \
  result function(T const& x) {                                \
    return function##_of(x, 0);                                \
  }

namespace Tessera::tpetra {

using Scalar = double;
using LocalOrdinal = int;
using GlobalOrdinal = long long;  ///< Debian's Trilinos instantiates it
using Node = ::Tpetra::Map<>::node_type;

using Map = ::Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>;
using Import = ::Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>;
using RowMatrix = ::Tpetra::RowMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
using CrsMatrix = ::Tpetra::CrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
using CrsGraph = ::Tpetra::CrsGraph<LocalOrdinal, GlobalOrdinal, Node>;
using MultiVector = ::Tpetra::MultiVector<Scalar, LocalOrdinal, GlobalOrdinal, Node>;

/// Number of indices of a map on this rank.
TESSERA_RENAMED(local_size, std::size_t, getLocalNumElements, getNodeNumElements)
/// The global indices of a map on this rank, in local order (Teuchos::ArrayView).
TESSERA_RENAMED(local_elements, auto, getLocalElementList, getNodeElementList)
/// Number of stored entries of a row matrix on this rank.
TESSERA_RENAMED(local_entries, std::size_t, getLocalNumEntries, getNodeNumEntries)
/// Length of the longest row of a row matrix on this rank.
TESSERA_RENAMED(max_row_entries, std::size_t, getLocalMaxNumRowEntries, getNodeMaxNumRowEntries)

/// The communicator of a Teuchos::MpiComm, or this rank alone for a Teuchos::SerialComm. Collective.
/// \throws core::InvalidInput for any other class
comm::Communicator communicator(Teuchos::Comm<int> const& comm);

}  // namespace Tessera::tpetra

#undef TESSERA_RENAMED
