#pragma once
/// \file
/// Work on single entries of rows. On CUDA a group of threads takes a row, so that neighbouring threads read
/// neighbouring entries.
#include "core/group.hpp"

namespace Tessera::sparse {

template <class Body>
struct EntriesOfRowBody {
  Body body;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    auto const end = body.end(i);
    for (auto k = body.begin(i) + group.lane; k < end; k += Group::size) body(i, k);
  }
};

/// Calls body(i, k) for body.begin(i) <= k < body.end(i) and 0 <= i < rows. entries: about the number of
/// calls.
template <class Space, class Body>
void for_each_entry(Space const& space, Index rows, std::size_t entries, Body const& body) {
  core::for_each_group(space, rows, entries, EntriesOfRowBody<Body>{body});
}

}  // namespace Tessera::sparse
