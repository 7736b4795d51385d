#pragma once
/// \file
/// Decisions about entries, each by itself: on CUDA a group of threads takes a row, so that its entries are
/// read together; on the host a loop does.
///
///     count_entries(space, rows, entries, body)     for each row i and entry k: body(i, k), true or false;
///                                                   then body.count(i, how many were true)
///     take_entries(space, rows, entries, body)      for each k with body(i, k), in order:
///                                                   body.take(i, k, body.start(i) + how many before it)
///
/// body: a trivially copyable struct, all of it TESSERA_HD, with body.begin(i) and body.end(i), the row's
/// entries. entries: of all rows, from which CUDA chooses the size of the groups.
#include "core/parallel.hpp"

namespace Tessera::sparse {

template <class Body>
struct CountEntriesBody {
  Body body;
  TESSERA_HD void operator()(Index i) const {
    Offset count = 0;
    for (Offset k = body.begin(i); k < body.end(i); ++k) count += body(i, k) ? 1 : 0;
    body.count(i, count);
  }
};

template <class Body>
struct TakeEntriesBody {
  Body body;
  TESSERA_HD void operator()(Index i) const {
    Offset place = body.start(i);
    for (Offset k = body.begin(i); k < body.end(i); ++k) {
      if (body(i, k)) body.take(i, k, place++);
    }
  }
};

template <class Body>
void count_entries(Host const& space, Index rows, std::size_t, Body const& body) {
  core::for_each(space, rows, CountEntriesBody<Body>{body});
}

template <class Body>
void take_entries(Host const& space, Index rows, std::size_t, Body const& body) {
  core::for_each(space, rows, TakeEntriesBody<Body>{body});
}

}  // namespace Tessera::sparse

#if defined(__CUDACC__)
#include "sparse/row_entries_cuda.cuh"
#endif
