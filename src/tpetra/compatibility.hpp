#pragma once
/// \file
/// One spelling for what Trilinos renamed: getNode* (13.2) became getLocal* (14 and later). The overload
/// whose return type does not compile drops out; the int argument makes the newer name win where both exist.
#include <cstddef>

namespace Tessera::tpetra {

namespace compatibility {

template <class Map>
auto local_size(Map const& map, int) -> decltype(map.getLocalNumElements()) {
  return map.getLocalNumElements();
}
template <class Map>
auto local_size(Map const& map, long) -> decltype(map.getNodeNumElements()) {
  return map.getNodeNumElements();
}

template <class Map>
auto local_elements(Map const& map, int) -> decltype(map.getLocalElementList()) {
  return map.getLocalElementList();
}
template <class Map>
auto local_elements(Map const& map, long) -> decltype(map.getNodeElementList()) {
  return map.getNodeElementList();
}

template <class Matrix>
auto local_entries(Matrix const& A, int) -> decltype(A.getLocalNumEntries()) {
  return A.getLocalNumEntries();
}
template <class Matrix>
auto local_entries(Matrix const& A, long) -> decltype(A.getNodeNumEntries()) {
  return A.getNodeNumEntries();
}

template <class Matrix>
auto max_row_entries(Matrix const& A, int) -> decltype(A.getLocalMaxNumRowEntries()) {
  return A.getLocalMaxNumRowEntries();
}
template <class Matrix>
auto max_row_entries(Matrix const& A, long) -> decltype(A.getNodeMaxNumRowEntries()) {
  return A.getNodeMaxNumRowEntries();
}

}  // namespace compatibility

/// Number of indices of a map on this rank.
template <class Map>
std::size_t local_size(Map const& map) {
  return compatibility::local_size(map, 0);
}

/// The global indices of a map on this rank, in local order (Teuchos::ArrayView).
template <class Map>
auto local_elements(Map const& map) {
  return compatibility::local_elements(map, 0);
}

/// Number of stored entries of a row matrix on this rank.
template <class Matrix>
std::size_t local_entries(Matrix const& A) {
  return compatibility::local_entries(A, 0);
}

/// Length of the longest row of a row matrix on this rank.
template <class Matrix>
std::size_t max_row_entries(Matrix const& A) {
  return compatibility::max_row_entries(A, 0);
}

}  // namespace Tessera::tpetra
