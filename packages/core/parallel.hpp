#pragma once
/// \file
/// The parallel primitives. Bodies are trivially copyable structs of views, marked TESSERA_HD; a test may
/// call one in a for loop. group.hpp has those for groups of threads.
///
///     for_each(space, n, body)                      body(i) for 0 <= i < n
///     fill(space, target, value)
///     reduce(space, n, body, op, identity)          op over body(i), in a fixed tree
///     sum(space, n, body)                           the same with +
///     exclusive_scan(space, counts, offsets)        offsets[0] = 0 ... offsets[n] = total, returned
///     prefix_sums(space, counts, offsets)           the same where the total is known; returns nothing
///     select(space, n, predicate, chosen)           ascending i with predicate(i); returns how many
///     sort_by_key(space, keys, values[, largest])   stable, ascending; arrays. Keys are integers, none above
///                                                   largest, nor below zero, where that is given
///
/// What returns a number has synchronised the space; for_each, fill and prefix_sums on CUDA have not.
///
/// reduce sums in an order that depends on n alone, not on threads or back end: element i belongs to block i
/// / 2048, in a block to lane i mod 256, a lane adds its up to 8 elements in order, the 256 lanes are folded
/// in halves, and the blocks' results are reduced the same way. So a floating-point sum is bitwise equal on
/// the host and on the GPU.
#include "core/parallel_host.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "core/parallel_cuda.cuh"
#endif
