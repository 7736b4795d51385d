#include "ifpack2/backend.hpp"

#include <mpi.h>

#include "core/device.hpp"
#include "core/error.hpp"
#include "tpetra/local_rows.hpp"

namespace Tessera::ifpack2 {
namespace {

/// Cached, because the driver takes milliseconds to report all properties, and devices do not change.
std::vector<core::DeviceInfo> const& devices() {
  static std::vector<core::DeviceInfo> const all = core::cuda_devices();
  return all;
}

int rank_on_node(comm::Communicator const& comm) {
  if (comm.size() == 1) return 0;
  MPI_Comm node;
  comm.agree();
  MPI_Comm_split_type(comm.raw(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node);
  int rank = 0;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  return rank;
}

Backend on_host(settings::Settings const& settings, std::string const& why) {
  return {Host{}, "",
          settings.backend == settings::Backend::automatic ? "\"host (auto: " + why + ")\"" : "host"};
}

}  // namespace

std::string planned_backend(settings::Settings const& settings) {
  switch (settings.backend) {
    case settings::Backend::host:
      return "host";
    case settings::Backend::cuda:
      return "cuda";
    default:
      return "\"auto (initialize() chooses)\"";
  }
}

void require_backend(settings::Settings const& settings) {
  if (settings.backend != settings::Backend::cuda) return;
  TESSERA_VALIDATE(
      !settings::has_foreign_smoother(settings),
      "`backend: type` is cuda, but `smoother: type` = IFPACK2 smooths on the host, so "
      "each smoothing would copy vectors between it and the GPU; set it to host or auto, or take CHEBYSHEV, "
      "RELAXATION or FSAI, which smooth on the GPU");
  auto const reason = core::cuda_unavailable_reason();
  if (!reason.empty()) {
    throw core::Unavailable("`backend: type` is cuda, but " + reason +
                            "; fix that, or set it to auto or host");
  }
  auto const count = static_cast<int>(devices().size());
  TESSERA_VALIDATE(settings.device < count, "`backend: device` is ", settings.device,
                   ", but this process sees ", count, count == 1 ? " device" : " devices",
                   ", numbered from 0; -1 chooses by the rank on the node");
}

Backend choose_backend(settings::Settings const& settings, comm::Communicator const& comm) {
  comm::agree_on_errors(comm, [&] { require_backend(settings); });
  if (settings.backend == settings::Backend::host) return on_host(settings, "");
  if (settings::has_foreign_smoother(settings)) return on_host(settings, "Ifpack2 smooths there");
  auto const mine = core::cuda_unavailable_reason();
  if (comm.any(!mine.empty())) return on_host(settings, mine.empty() ? "another rank has no GPU" : mine);
  auto const count = static_cast<int>(devices().size());
  // Some ranks may name a device and others not. comm.any() keeps the collective call on all ranks.
  int const by_rank = comm.any(settings.device < 0) ? rank_on_node(comm) % count : 0;
  int const of_node = tpetra::node_device();
  comm::agree_on_errors(comm, [&] {
    TESSERA_VALIDATE(of_node < 0 || settings.device < 0 || settings.device == of_node,
                     "`backend: device` is ", settings.device, ", but Kokkos computes on device ", of_node,
                     " (a process uses one); leave it out, or start Kokkos on that device");
  });
  int const device = of_node >= 0 ? of_node : settings.device >= 0 ? settings.device : by_rank;
  Backend backend;
#if defined(TESSERA_HAVE_CUDA)
  comm::agree_on_errors(comm, [&] { backend.space = core::make_cuda(device); });
#endif
  backend.device = devices()[static_cast<std::size_t>(device)].name;
  backend.text = core::message("\"cuda (", settings.backend == settings::Backend::automatic ? "auto: " : "",
                               backend.device, ", device ", device, ")\"");
  return backend;
}

void choose_overlap(settings::Settings const& settings, Backend const& backend,
                    comm::Communicator const& comm) {
  // A GPU works asynchronously: the thread that enqueues work also drives messages, and a second thread would
  // wait.
  bool const is_asynchronous = !std::holds_alternative<Host>(backend.space);
  auto const overlap =
      settings.overlap == comm::Overlap::task && is_asynchronous ? comm::Overlap::naive : settings.overlap;
  comm.choose_overlap(overlap, comm::mpi_thread_level());
}

}  // namespace Tessera::ifpack2
