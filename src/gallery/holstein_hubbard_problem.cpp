#include "core/parallel.hpp"
#include "gallery/holstein_hubbard.hpp"
#include "gallery/makers.hpp"
#include "tpetra/assemble.hpp"
#include "tpetra/compatibility.hpp"

namespace Tessera::gallery {

Problem holstein_hubbard(Options const& options, CommPtr const& comm) {
  auto const whole = [&](char const* name) {
    return static_cast<int>(options.at(name));  // at most 2^31 - 1
  };
  HolsteinHubbard const H({whole("sites"), whole("electrons"), whole("phonons"), options.at("hopping"),
                           options.at("repulsion"), options.at("frequency"), options.at("coupling")});
  auto const map = tpetra::block_map(H.rows(), 1, comm);
  auto const rows = tpetra::local_size(*map);
  auto const first = rows == 0 ? 0 : map->getMinGlobalIndex();
  tpetra::GlobalRows local{Array<Offset, Host>(Host{}, rows + 1), {}, {}};
  core::for_each(Host{}, rows, [&](Index i) {
    local.offsets[i] = 0;
    H.row(first + i, [&](GlobalIndex, double) { ++local.offsets[i]; });
  });
  auto const entries = static_cast<std::size_t>(
      core::exclusive_scan(Host{}, local.offsets.span().part(0, rows), local.offsets.span()));
  local.column = Array<tpetra::GlobalOrdinal, Host>(Host{}, entries);
  local.value = Array<double, Host>(Host{}, entries);
  core::for_each(Host{}, rows, [&](Index i) {
    auto k = local.offsets[i];
    H.row(first + i, [&](GlobalIndex column, double value) {
      local.column[k] = column;
      local.value[k++] = value;
    });
  });
  Problem problem;
  problem.matrix = tpetra::assemble(map, local);
  return problem;
}

}  // namespace Tessera::gallery
