#pragma once
/// \file
/// What only the first run of a KeptMemory does.
#include "core/space.hpp"

namespace Tessera::core {

/// While one of these lives, nothing that is asked for or given back belongs to a run of KeptMemory.
template <class Space>
class OutsideRuns {
 public:
  explicit OutsideRuns(Space const& space);
  ~OutsideRuns();
  OutsideRuns(OutsideRuns const&) = delete;
  OutsideRuns& operator=(OutsideRuns const&) = delete;

 private:
  void* run_;
};

}  // namespace Tessera::core
