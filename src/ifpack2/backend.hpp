#pragma once
/// \file
/// Where a preconditioner runs, and why there.
#include <string>
#include <variant>

#include "comm/communicator.hpp"
#include "core/space.hpp"
#include "parameters/settings.hpp"

namespace Tessera::ifpack2 {

/// One T for one of the back ends of this build.
#if defined(TESSERA_HAVE_CUDA)
template <template <class> class T>
using OnAnySpace = std::variant<T<Host>, T<Cuda>>;
#else
template <template <class> class T>
using OnAnySpace = std::variant<T<Host>>;
#endif
template <class Space>
using Itself = Space;
using AnySpace = OnAnySpace<Itself>;

struct Backend {
  AnySpace space;
  std::string device;  ///< name of the GPU; empty on the host
  std::string words;   ///< for description(), such as: host (auto: no CUDA in this build)
};

/// What can be said before a back end is chosen.
std::string planned_backend(parameters::Settings const& settings);

/// Refuses a back end that cannot be had here. Not collective.
/// \throws core::Unavailable with the reason, core::InvalidInput for a device that there is not
void require_backend(parameters::Settings const& settings);

/// The back end of a matrix that is distributed over comm: each rank takes the device that `backend: device`
/// names, or the one of its number on its node, modulo the number of devices. `auto` takes a GPU if every
/// rank has one. Collective. \throws as require_backend, on every rank
Backend choose_backend(parameters::Settings const& settings, comm::Communicator const& comm);

/// Has comm's exchanges go with work as `communication: mode` says for this back end. Collective.
/// \throws as comm::Communicator::choose_overlap, on every rank
void choose_overlap(parameters::Settings const& settings, Backend const& backend,
                    comm::Communicator const& comm);

}  // namespace Tessera::ifpack2
