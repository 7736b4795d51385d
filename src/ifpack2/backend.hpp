#pragma once
/// \file
/// The back end of a preconditioner, and the reason for it.
#include <string>
#include <variant>

#include "comm/communicator.hpp"
#include "core/space.hpp"
#include "settings/settings.hpp"

namespace Tessera::ifpack2 {

/// T<Space> for one of the back ends of this build.
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
  std::string text;    ///< for description(), such as: host (auto: no CUDA in this build)
};

/// Text for description() before initialize() has chosen.
std::string planned_backend(settings::Settings const& settings);

/// Checks that the back end is available here. Not collective. \throws core::Unavailable with the reason;
/// core::InvalidInput for a device that does not exist
void require_backend(settings::Settings const& settings);

/// Chooses the back end of a matrix that is distributed over comm. Each rank takes the device of `backend:
/// device`, or the device of its number on its node, modulo the number of devices. `auto` takes GPUs if every
/// rank has one. Collective. \throws as require_backend, on every rank
Backend choose_backend(settings::Settings const& settings, comm::Communicator const& comm);

/// Sets how comm's exchanges overlap with work, by `communication: mode` and the back end. Collective.
/// \throws as comm::Communicator::choose_overlap, on every rank
void choose_overlap(settings::Settings const& settings, Backend const& backend,
                    comm::Communicator const& comm);

}  // namespace Tessera::ifpack2
