#include <algorithm>

#include "comm/dist_csr.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

namespace {

std::vector<GlobalIndex> ghosts_among(Distribution const& columns, std::vector<GlobalIndex> const& column) {
  std::vector<GlobalIndex> ghosts;
  std::copy_if(column.begin(), column.end(), std::back_inserter(ghosts),
               [&](GlobalIndex c) { return !columns.owns(c); });
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  return ghosts;
}

}  // namespace

template <class T>
DistCsr<T, Host> from_global(Distribution const& rows, Distribution const& columns,
                             std::vector<Offset> const& offsets, std::vector<GlobalIndex> const& column,
                             std::vector<T> const& value) {
  Host const host;
  auto const n = rows.local_size();
  agree_on_errors(rows.comm(), [&] {
    TESSERA_VALIDATE(offsets.size() == static_cast<std::size_t>(n) + 1, "a matrix of ", n,
                     " rows on this rank has ", offsets.size(),
                     " row offsets; give one more than the number of rows");
    TESSERA_VALIDATE(offsets.back() == static_cast<Offset>(column.size()) && column.size() == value.size(),
                     "the row offsets end at ", offsets.back(), ", but there are ", column.size(),
                     " columns and ", value.size(), " values; give the same number of each");
    for (auto const c : column) {
      TESSERA_VALIDATE(0 <= c && c < columns.global_size(), "column ", c, " does not exist in a matrix of ",
                       columns.global_size(), " columns; number columns from 0");
    }
  });
  DistCsr<T, Host> A;
  A.rows = rows;
  A.halo = HaloPlan<Host>(host, columns, ghosts_among(columns, column));
  A.local.rows = n;
  A.local.columns = columns.local_size() + A.halo.ghost_count();
  A.local.offsets = core::to_space(host, offsets);
  A.local.value = core::to_space(host, value);
  A.local.column = Array<Index, Host>(host, column.size());
  auto const& ghosts = A.halo.ghosts();
  core::for_each(host, n, [&](Index i) {
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) {
      auto const c = column[k];
      A.local.column[k] = static_cast<Index>(
          columns.owns(c)
              ? c - columns.begin()
              : columns.local_size() + (std::lower_bound(ghosts.begin(), ghosts.end(), c) - ghosts.begin()));
    }
  });
  return A;
}

template DistCsr<double, Host> from_global(Distribution const&, Distribution const&,
                                           std::vector<Offset> const&, std::vector<GlobalIndex> const&,
                                           std::vector<double> const&);
template DistCsr<float, Host> from_global(Distribution const&, Distribution const&,
                                          std::vector<Offset> const&, std::vector<GlobalIndex> const&,
                                          std::vector<float> const&);

}  // namespace Tessera::comm
