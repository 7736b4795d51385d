#pragma once
/// \file
/// One spelling for what Trilinos renamed: getNode* (13.2) became getLocal* (14 and later).
#include <cstddef>

/// function(x) is x.now(), or x.before() where that is all there is: the overload whose return type does not
/// compile drops out, and the int argument makes the newer name win where both exist.
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

/// Number of indices of a map on this rank.
TESSERA_RENAMED(local_size, std::size_t, getLocalNumElements, getNodeNumElements)
/// The global indices of a map on this rank, in local order (Teuchos::ArrayView).
TESSERA_RENAMED(local_elements, auto, getLocalElementList, getNodeElementList)
/// Number of stored entries of a row matrix on this rank.
TESSERA_RENAMED(local_entries, std::size_t, getLocalNumEntries, getNodeNumEntries)
/// Length of the longest row of a row matrix on this rank.
TESSERA_RENAMED(max_row_entries, std::size_t, getLocalMaxNumRowEntries, getNodeMaxNumRowEntries)

}  // namespace Tessera::tpetra

#undef TESSERA_RENAMED
