#pragma once
/// \file
/// Rows of formats that keep the entries of neighbouring rows side by side, a row in each slot. Their view
/// is, besides value and column:
///
///     Value                             type of an entry
///     slots()                           how many there are; a multiple of 32
///     row_of(slot)                      negative: none
///     length(slot)                      entries that count
///     begin(slot), next(place, j)       the place of a slot's first entry, and of that j further on
///     at(place, j)                      where in value and column the entry j further on is
///     in_order()                        whether slot s is row s, for all rows
///
/// In 32 slots from a multiple of 32 on, entries j are side by side for all j below the largest length; where
/// slots are shorter, those are zeros.
///
///     template <class Space, class T>
///     struct RowWalk<Space, XView<T>> : SlotWalk<Space> {};
#include "sparse/engine/row_walk.hpp"

namespace Tessera::sparse {

template <class Space>
struct SlotWalk;

}  // namespace Tessera::sparse

#include "sparse/engine/slot_walk_host.hpp"
#if defined(__CUDACC__)
#include "sparse/engine/slot_walk_cuda.cuh"
#endif
